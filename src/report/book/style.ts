/** The style of the pages: a book by day, by night, on a phone and on paper. */
export const STYLE = `
:root {
  --paper: #fbf8f1; --ink: #262119; --quiet: #756b5c; --line: #e2d9c8; --side: #f4efe4; --link: #8a3b12;
  --E: #5c5346; --A: #8a3b12; --P: #a11d3f; --CA: #1d6a4b; --TM: #24589a; --CC: #6b3f9c; --tint: 15%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17150f; --ink: #e6ded0; --quiet: #a0957f; --line: #37322a; --side: #1e1b15; --link: #e8a87c;
    --E: #b5aa97; --A: #e8a87c; --P: #f08ba4; --CA: #7fcfa8; --TM: #8fb8ee; --CC: #c4a2ec; --tint: 22%;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.65 "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Source Serif 4", Georgia, "Liberation Serif", serif;
  font-variant-numeric: oldstyle-nums; overflow-wrap: break-word;
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; text-underline-offset: .2em; }
nav, .small, h3, h4, dt, .about, .kind, sup, .id, footer { font-family: ui-sans-serif, system-ui, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; font-variant-numeric: normal; }
nav { padding: 1rem 1.25rem; background: var(--side); border-bottom: 1px solid var(--line); font-size: .85rem; line-height: 1.5; }
nav strong { display: block; font-size: .95rem; }
nav ol { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem .9rem; }
nav li li { display: none; }
nav ol ol { display: none; }
.legend { line-height: 1.9; margin: .5rem 0 0; color: var(--quiet); font-size: .92em; }
.legend span { white-space: nowrap; margin-right: .8em; }
.legend mark { padding: .1em .35em; font-weight: 600; }
main { max-width: 43rem; margin: 0 auto; padding: 1.5rem 1.25rem 5rem; }
header { margin: 2.5rem 0 3rem; text-align: center; }
h1 { font-size: clamp(1.9rem, 5vw, 2.7rem); line-height: 1.15; font-weight: 500; margin: 0 0 1.2rem; text-wrap: balance; }
header p { margin: .1rem 0; color: var(--quiet); font-size: .9rem; }
h2 { font-size: 1.55rem; font-weight: 500; line-height: 1.25; margin: 0 0 1.4rem; }
h3 { font-size: .78rem; font-weight: 600; letter-spacing: .09em; text-transform: uppercase; color: var(--quiet); margin: 2.4rem 0 .8rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
section.round { margin-top: 5rem; padding-top: 2.2rem; border-top: 3px double var(--line); }
.story p { margin: 0; text-align: justify; hyphens: auto; }
.story p + p { text-indent: 1.5em; }
.story p:first-child::first-line { font-variant-caps: small-caps; letter-spacing: .02em; }
mark { background: color-mix(in srgb, var(--c, var(--E)) var(--tint), transparent); color: inherit; border-bottom: 1px solid var(--c, var(--E)); padding: .05em 0; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.E { --c: var(--E); } .A { --c: var(--A); } .P { --c: var(--P); } .CA { --c: var(--CA); } .TM { --c: var(--TM); } .CC { --c: var(--CC); }
sup { font-size: .62em; line-height: 0; font-weight: 600; text-indent: 0; }
sup a { color: var(--c); padding: .3em .15em; }
sup a:target, .told:target { background: color-mix(in srgb, var(--c, var(--E)) 35%, transparent); outline: 2px solid var(--c, var(--E)); border-radius: 2px; }
.cast { margin: 0; }
.cast > dt, .doings > dt { font-size: .85rem; color: var(--quiet); margin-top: .9rem; line-height: 1.45; }
.cast > dt b { color: var(--ink); }
.cast dd, .doings dd { margin: .1rem 0 .1rem 1.2rem; }
.cast dd span { color: var(--quiet); font-size: .92em; }
.doings > dt { color: var(--ink); font-family: inherit; font-size: 1em; margin-top: .5rem; }
.doings dd { color: var(--quiet); font-size: .92em; }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.plain > li { margin: .15rem 0; }
ol.items { list-style: none; margin: 0; padding: 0; }
ol.items > li { position: relative; margin: 0 0 1.05rem; padding-left: 2.6rem; line-height: 1.5; }
.kind { position: absolute; left: 0; top: .2rem; min-width: 1.9rem; text-align: center; font-size: .68rem; font-weight: 700; line-height: 1.35rem; border-radius: 3px; color: var(--c); background: color-mix(in srgb, var(--c) 14%, transparent); }
.id { font-size: .7rem; color: var(--quiet); margin-left: .35em; overflow-wrap: anywhere; }
ul.details { list-style: none; margin: .15rem 0 0; padding: 0; font-size: .9rem; color: var(--quiet); line-height: 1.5; }
ul.details > li { padding-left: 1em; text-indent: -1em; }
ul.details > li > * { text-indent: 0; }
.about { font-size: .74rem; letter-spacing: .02em; margin-right: .4em; }
ul.details > li > .says { color: var(--ink); }
code { font: .82em ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.told { font-style: italic; color: var(--ink); }
.told a { white-space: nowrap; font: 600 .72rem ui-sans-serif, system-ui, "Liberation Sans", sans-serif; color: var(--c); padding: 0 .2em; }
ol.steps { margin: 0; padding-left: 2.6rem; font-size: .92rem; line-height: 1.5; }
ol.steps > li { margin-bottom: .45rem; }
ol.steps > li::marker { color: var(--quiet); font-size: .85em; }
.doing { display: block; }
.realises { color: var(--quiet); font-style: italic; }
details { margin: .4rem 0; border: 1px solid var(--line); border-radius: 4px; padding: .35rem .8rem; }
summary { cursor: pointer; font: .85rem ui-sans-serif, system-ui, "Liberation Sans", sans-serif; }
pre { font: .78rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .6rem 0; }
.entries { list-style: none; margin: 0; padding: 0; font-size: .9rem; line-height: 1.5; }
.entries > li { margin: .35rem 0; padding-left: 1.2em; text-indent: -1.2em; overflow-wrap: anywhere; }
.entries b { font: 600 .82em ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
.entries li div { text-indent: -1.2em; padding-left: 1.2em; color: var(--quiet); }
footer { margin-top: 4rem; color: var(--quiet); font-size: .75rem; text-align: center; }
@media (min-width: 62rem) {
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2.2rem 1.4rem; border-bottom: 0; border-right: 1px solid var(--line); }
  nav ol { display: block; margin-top: 1.1rem; }
  nav li { margin: .3rem 0; }
  nav ol ol { display: block; margin: .1rem 0 .5rem .8rem; }
  nav li li { display: block; margin: 0; font-size: .92em; }
  nav li li a { color: var(--quiet); }
  .legend { margin-top: 1.6rem; padding-top: 1rem; border-top: 1px solid var(--line); line-height: 2; }
  .legend span { display: block; }
  main { padding: 2rem 3rem 6rem; max-width: 47rem; }
}
@media (max-width: 40rem) {
  body { font-size: 1rem; }
  .story p { text-align: left; }
  ol.items > li { padding-left: 2.35rem; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #555; --line: #bbb; }
  body { display: block; font-size: 10.5pt; }
  nav { display: none; }
  main { max-width: none; padding: 0; }
  section.round { break-before: page; border-top: 0; margin-top: 0; }
  mark { background: none; }
  h3, .kind { break-after: avoid; }
  ol.items > li, .cast dd { break-inside: avoid; }
  a { color: inherit; }
}
`;
