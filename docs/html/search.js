// Searches the documentation without a network: sections (search-index.js) that have every word, those with it in a heading first.
'use strict';
{
    const field = document.getElementById('search'), list = document.getElementById('found'), root = field.dataset.root, MOST = 30, AROUND = 60;
    const lower = sections.map(({ page, heading, text }) => [`${page} ${heading}`.toLowerCase(), text.toLowerCase()]);

    const isGuide = (at) => sections[at].at.startsWith('docs/');

    // The words around the first that was sought.
    function excerpt(text, word) {
        const at = Math.max(0, text.toLowerCase().indexOf(word)), from = Math.max(0, at - AROUND);
        return `${from > 0 ? '… ' : ''}${text.slice(from, at + AROUND)}${at + AROUND < text.length ? ' …' : ''}`;
    }

    function item({ page, heading, text, at }, word) {
        const row = document.createElement('li'), link = document.createElement('a'), words = document.createElement('span');
        link.href = root + at;
        link.textContent = heading && heading !== page ? `${page}: ${heading}` : page;
        words.textContent = excerpt(text, word);
        row.append(link, words);
        return row;
    }

    field.oninput = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        const rank = ([head], at) => words.every((word) => head.includes(word)) ? 0 : words.every((word) => lower[at].some((text) => text.includes(word))) ? 1 : 2;
        const found = words.length ? lower.map((each, at) => [rank(each, at), at]).filter(([order]) => order < 2).sort((a, b) => a[0] - b[0] || isGuide(b[1]) - isGuide(a[1]) || a[1] - b[1]) : [];
        list.replaceChildren(...found.slice(0, MOST).map(([, at]) => item(sections[at], words[0])));
        if (words.length && found.length === 0)
            list.append(Object.assign(document.createElement('li'), { textContent: 'Nothing has these words.' }));
        list.hidden = words.length === 0;
    };
    field.disabled = false;
}
