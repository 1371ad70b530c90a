// A list of any length: only the rows in sight are in the page. Rows have one height, --row in page.css; what is chosen is
// shown beside the list. Keys: up, down, page up, page down, home, end.
const BEYOND = 6; // rows that are made above and below those in sight
const TALLEST = 1.5e7; // pixels; browsers lay out no more

// list: an element of role listbox. row(item): the children of its row. choose(item): it is shown.
export function virtualList(list, { row, choose }) {
    let items = [], chosen = -1, first = 0, last = 0;
    const height = parseFloat(getComputedStyle(list).getPropertyValue('--row')) * parseFloat(getComputedStyle(document.documentElement).fontSize);

    function option(index) {
        const made = document.createElement('li');
        made.id = `${list.id}-${index}`;
        made.setAttribute('role', 'option');
        made.setAttribute('aria-selected', String(index === chosen));
        made.setAttribute('aria-posinset', index + 1);
        made.setAttribute('aria-setsize', items.length);
        made.style.top = `${index * height}px`;
        made.append(...row(items[index]));
        return made;
    }

    function draw(anew) {
        const from = Math.max(0, Math.floor(list.scrollTop / height) - BEYOND);
        const to = Math.min(items.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + BEYOND);
        if (!anew && from === first && to === last)
            return;
        [first, last] = [from, to];
        list.replaceChildren(...Array.from({ length: to - from }, (_, index) => option(from + index)));
        if (chosen >= from && chosen < to)
            list.setAttribute('aria-activedescendant', `${list.id}-${chosen}`);
        else
            list.removeAttribute('aria-activedescendant');
    }

    function select(index) {
        if (index < 0 || index >= items.length)
            return;
        chosen = index;
        const top = index * height, bottom = top + height;
        if (top < list.scrollTop)
            list.scrollTop = top;
        else if (bottom > list.scrollTop + list.clientHeight)
            list.scrollTop = bottom - list.clientHeight;
        draw(true);
        choose(items[index]);
    }

    list.onscroll = () => draw(false);
    list.onclick = ({ target }) => {
        const found = target.closest('[role=option]');
        if (found)
            select(Number(found.getAttribute('aria-posinset')) - 1);
    };
    list.onkeydown = (event) => {
        const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
        const end = items.length - 1;
        const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: Math.min(end, chosen + page), PageUp: Math.max(0, chosen - page),
            Home: 0, End: end }[event.key];
        if (to === undefined || event.altKey || event.ctrlKey || event.metaKey)
            return;
        event.preventDefault();
        select(to);
    };
    list.onfocus = () => chosen < 0 && select(0);
    new ResizeObserver(() => draw(false)).observe(list);

    return {
        // Shows these items; none is chosen. Gives how many there is room for.
        show(all) {
            items = all.slice(0, Math.floor(TALLEST / height));
            chosen = -1;
            list.style.setProperty('--all', `${Math.max(1, items.length) * height}px`);
            list.scrollTop = 0;
            draw(true);
            return items.length;
        },
        select,
        find: (test) => select(items.findIndex(test)),
    };
}

// The items whose text has each word that is sought.
export function matching(items, sought, text) {
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0 ? items : items.filter((item) => {
        const held = text(item).toLowerCase();
        return words.every((word) => held.includes(word));
    });
}
