/**
 * The style of the pages that the router itself renders. These pages run no script, so the system
 * chooses light or dark.
 */
import { FONT_FACE } from './inter-font.ts';
import { DARK, declarations, LIGHT } from './palette.ts';

export const PAGE_STYLE = `
${FONT_FACE}
:root{color-scheme:light dark;${declarations(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${declarations(DARK)}}}
*{box-sizing:border-box}
body{font:14px/1.5 'Inter Variable',ui-sans-serif,system-ui,sans-serif;color:var(--ink);background:var(--ground);margin:0;padding:2.5rem 1rem 4rem;font-variant-ligatures:no-contextual;-webkit-font-smoothing:antialiased}
main{max-width:46rem;margin:0 auto}
main.narrow{max-width:24rem}
h1{font-size:1.375rem;line-height:1.3;letter-spacing:-.015em;margin:0;overflow-wrap:anywhere}
h2{font-size:.8125rem;margin:0 0 .25rem}
p{margin:0}
a{color:var(--accent)}
small,.muted{color:var(--muted)}
.fill{visibility:hidden}
small{font-size:.8125rem}
.service{display:flex;align-items:center;gap:.6rem;font-weight:600;margin-bottom:1.75rem}
.service svg{width:1.75rem;height:1.75rem}
.narrow .service{margin-bottom:1.25rem}
.narrow .service svg{width:2rem;height:2rem}
.service rect{fill:var(--accent)}
.service path{stroke:var(--accent-ink)}
.title .button{width:auto;margin-left:auto;padding:.3rem .75rem;font-size:.8125rem}
.title{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-bottom:1.25rem}
.narrow h1{font-size:1.25rem;line-height:1.4;font-weight:600;letter-spacing:-.025em}
.heading{margin-bottom:1.25rem}
.lead{color:var(--muted);margin:.25rem 0 1.25rem}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:.75rem;box-shadow:0 1px 2px rgb(0 0 0/.04);padding:1.25rem}
details{margin-top:1.25rem}
.notice{border-radius:.5rem;padding:.65rem 1rem;margin-bottom:1.25rem;background:var(--warn-soft)}
.notice strong{display:block;color:var(--warn)}
.notice.bad{background:var(--bad-soft)}
.notice.bad strong{color:var(--bad)}
.badge{border-radius:.375rem;padding:.1rem .45rem;font-size:.75rem;font-weight:500;background:var(--sunken);color:var(--muted)}
.badge.good{background:var(--good-soft);color:var(--good)}
.badge.bad{background:var(--bad-soft);color:var(--bad)}
dl{display:grid;grid-template-columns:10rem minmax(0,1fr);gap:.5rem 1rem;margin:0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
.narrow dl{grid-template-columns:8rem minmax(0,1fr);column-gap:0}
.narrow dd{text-align:right}
.total{border-top:1px solid var(--line);padding-top:.6rem;font-weight:600;color:var(--ink)}
form{display:grid;gap:1rem;margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
form .notice{margin:0}
label{display:block;font-weight:500;margin-bottom:.35rem}
input,.button{font:inherit;width:100%;border:1px solid var(--line-strong);border-radius:.375rem;padding:.5rem .75rem;background:var(--panel);color:var(--ink)}
input{font-variant-numeric:tabular-nums}
.button{display:block;text-align:center;text-decoration:none;font-weight:500;cursor:pointer}
.button.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.ask{font-size:.8125rem}
.ask form{margin:1rem 0 0;padding:0;border:0}
.ask .button{width:auto;justify-self:start;padding:.4rem .9rem}
.buttons{display:grid;gap:.6rem}
.after{margin-top:1rem;color:var(--muted);font-size:.8125rem}
summary{cursor:pointer;font-weight:500;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:'';display:inline-block;width:.375rem;height:.375rem;margin-inline:.125rem .5rem;border:solid;border-width:0 1.5px 1.5px 0;transform:translateY(-.125rem) rotate(-45deg)}
details[open]>summary::before{transform:translateY(-.1875rem) rotate(45deg)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{font-weight:500;color:var(--muted);font-size:.8125rem}
td:first-child{white-space:nowrap}
details table{margin-top:.5rem;font-size:.8125rem}
details tr:last-child td{border-bottom:0}
.parties{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem;margin-bottom:1.25rem;padding-bottom:1.25rem;border-bottom:1px solid var(--line)}
.parties h2{color:var(--muted);font-weight:500}
.parties p{overflow-wrap:anywhere}
.parties bdi:first-of-type{font-weight:600}
.wide{overflow-x:auto;margin-top:1.25rem}
.figures td,.figures th{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.figures thead th{border-top:1px solid var(--line);white-space:normal;overflow-wrap:normal}
.figures td:first-child,.figures tr>th:first-child{font-variant-numeric:normal;text-align:left;white-space:normal;min-width:10rem}
.figures tr>:last-child{padding-right:0}
.lines tfoot td{font-weight:600}
.lines tr>:last-child:not(:first-child){padding-left:1rem}
.totals{width:auto;min-width:min(100%,22rem);margin:.75rem 0 0 auto}
.totals th{color:inherit;font-size:inherit;font-weight:400}
.totals tr>*{border-bottom:0;padding-block:.25rem}
.totals tr:last-child>*{font-weight:600}
.totals tr:last-child:not(:first-child)>*{border-top:1px solid var(--line);padding-top:.5rem}
.totals tr:nth-last-child(2)>*{padding-bottom:.5rem}
.headline{margin-bottom:1.25rem;font-size:1.5rem;line-height:1.3;letter-spacing:-.015em;font-weight:600}
.payment{margin-top:1.25rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
.payment h2{font-weight:600}
.payment p{overflow-wrap:anywhere}
.note{margin-top:1.25rem;white-space:pre-line;color:var(--muted)}
@media (min-width:40rem){main.narrow{margin-top:calc(12vh - 2.5rem)}}
@media (max-width:36rem){
body{padding-top:1.5rem}
.sheet dl,.parties{grid-template-columns:minmax(0,1fr)}
.sheet dl{gap:.1rem}
.title .button{margin-left:0}
.sheet dd{margin-bottom:.5rem}
}
@media screen and (max-width:36rem){
.totals{width:100%}
.lines thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.lines,.lines tbody,.lines tfoot{display:block}
.lines tr{display:flex;flex-wrap:wrap;gap:.15rem .9rem;padding-block:.6rem;border-bottom:1px solid var(--line)}
.lines tbody tr:first-child{border-top:1px solid var(--line)}
.lines tr>*{border:0;padding:0}
.lines tr>:first-child{flex:1 1 0;min-width:0}
.lines tr>:last-child{order:1}
.lines tr::before{content:'';order:2;width:100%}
.lines td:not(:first-child,:last-child){order:3;flex:0 0 calc(50% - .45rem);text-align:left;font-size:.8125rem}
.lines td:not(:first-child,:last-child)::before{content:attr(data-name);display:block;color:var(--muted);font-weight:400}
.lines td:empty{display:none}
}
@page{margin:18mm}
@media print{
.title .button{display:none}
:root{color-scheme:light;${declarations(LIGHT)}}
body{background:none;padding:0;font-size:10pt}
main{max-width:none}
.panel{border:0;box-shadow:none;padding:0}
.notice,.badge,.narrow .service{margin-bottom:1.25rem}
.narrow .service svg{width:2rem;height:2rem}
.service rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.title .badge{margin-bottom:0}
.wide{overflow:visible}
.figures{font-size:.8125rem}
.lines td,.lines th{padding-right:.6rem}
tr,.parties,.totals{break-inside:avoid}
}
`;
