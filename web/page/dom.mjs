// Elements of the page. Text is always set as text, never as markup.
export const at = (id) => document.getElementById(id);

export function element(tag, text, kind) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind)
        made.className = kind;
    return made;
}
