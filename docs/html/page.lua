-- What a page needs beyond its text: a title, links to pages instead of Markdown files, columns as wide as their text.
function Link(link)
    if not link.target:match("^%a[%w+.-]*:") then
        link.target = link.target:gsub("README%.md", "index.html"):gsub("%.md$", ".html"):gsub("%.md#", ".html#")
        local name = pandoc.utils.stringify(link.content):match("^([%w/]+)%.md$")
        if name then
            link.content = {pandoc.Str(name)}
        end
    end
    return link
end

-- Widths would be inline styles, which the page's policy forbids.
function Table(tables)
    for _, column in ipairs(tables.colspecs) do
        column[2] = nil
    end
    return pandoc.Div(tables, {class = "wide"})
end

function Pandoc(document)
    for _, block in ipairs(document.blocks) do
        if block.t == "Header" and block.level == 1 then
            document.meta.pagetitle = pandoc.utils.stringify(block)
            break
        end
    end
    return document
end
