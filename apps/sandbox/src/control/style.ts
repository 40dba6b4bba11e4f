import { tokens } from '../pages/html.ts';

/** The style sheet of the control pages. */
export const controlStyle = `${tokens}
body { font-size: 14px; }
.frame { max-width: 1440px; margin: 0 auto; padding: 16px; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 24px; margin: 8px 0 24px; }
.top h1 { font-size: 22px; letter-spacing: -0.01em; line-height: 1.3; }
.gateways { display: grid; gap: 16px; }
.gateway { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px; min-width: 0; }
.gateway h2 { font-size: 16px; }
.gateway-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 4px 16px; }
.state { font-weight: 600; display: inline-flex; gap: 8px; align-items: center; }
.state::before { content: ""; width: 10px; height: 10px; background: currentColor; border-radius: 50%; }
.state.warn::before { border-radius: 2px; transform: rotate(45deg); }
.state.bad::before { border-radius: 2px; }
.state.good { color: var(--good); } .state.warn { color: var(--warn); } .state.bad { color: var(--bad); }
.fault-words { min-height: 63px; margin-top: 4px; }
.figures { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 12px 0; padding: 12px 0; border: solid var(--line); border-width: 1px 0; }
.figures dt { font-size: 13px; color: var(--quiet); }
.figures dd { font-size: 16px; font-weight: 600; }
.switch { display: grid; grid-template-columns: 2fr 1fr 1fr 1fr 1.2fr; gap: 12px; align-items: end; }
.switch label { font-size: 13px; font-weight: 500; color: var(--quiet); }
.switch input, .switch select { min-height: 40px; padding: 6px 10px; }
.switch .acts { grid-column: 1 / -1; display: flex; gap: 8px; flex-wrap: wrap; }
.switch .acts button { min-height: 40px; }
.pay-out { display: flex; gap: 8px; flex-wrap: wrap; align-items: baseline; }
.pay-out button { min-height: 40px; }
.views { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 32px; margin: 32px 0 0; border-bottom: 1px solid var(--line); }
.views ul { display: flex; flex-wrap: wrap; gap: 0 20px; }
.views a { display: block; padding: 10px 0; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.views a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; padding: 12px 0; color: var(--quiet); }
th { text-align: left; font-weight: 500; font-size: 13px; color: var(--quiet); padding: 8px 24px 8px 0; white-space: nowrap; }
td { padding: 7px 24px 7px 0; border-top: 1px solid var(--line); vertical-align: baseline; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.num { text-align: right; }
.word { font-weight: 600; white-space: nowrap; }
.word.good { color: var(--good); } .word.warn { color: var(--warn); } .word.bad { color: var(--bad); } .word.off { color: var(--quiet); }
.row-acts { display: flex; gap: 6px; flex-wrap: wrap; align-items: center; }
.row-acts form { margin: 0; }
.row-acts button { min-height: 28px; padding: 2px 10px; font-size: 13px; }
.empty { padding: 32px 0; max-width: 62ch; }
.empty pre { margin: 12px 0 0; padding: 12px 16px; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; font: 13px/1.5 var(--mono); }
#lists > details { margin-top: 8px; }
details summary { cursor: pointer; }
pre.body { margin: 8px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 var(--mono); max-width: 90ch; }
@media (min-width: 900px) { .frame { padding: 24px 32px 48px; } .gateways { grid-template-columns: 1fr 1fr; } }
@media (max-width: 720px) {
  .switch { grid-template-columns: 1fr 1fr; }
  .switch .kind { grid-column: 1 / -1; }
  table, tbody, tr, td, caption { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border-top: 1px solid var(--line); padding: 10px 0; }
  td { border: 0; padding: 2px 0; display: grid; grid-template-columns: 96px minmax(0, 1fr); gap: 8px; }
  .num { text-align: left; }
  td::before { content: attr(data-label); color: var(--quiet); font: 13px/1.6 var(--sans); }
  .row-acts button { min-height: 40px; }
}
`;

/**
 * Fetches the page again every two seconds and exchanges what is marked live,
 * except elements that are being pressed, have the focus, or are open.
 */
export const controlScript = `
let pressed = false;
addEventListener('pointerdown', () => { pressed = true; });
addEventListener('pointerup', () => { setTimeout(() => { pressed = false; }, 300); });
const refresh = async () => {
  if (document.hidden || pressed) return;
  try {
    const response = await fetch(location.pathname + location.search, { signal: AbortSignal.timeout(4000) });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = next.getElementById(part.id);
      const busy = pressed || part.contains(document.activeElement) || part.querySelector('details[open]') || !getSelection().isCollapsed;
      if (fresh && !busy && fresh.innerHTML !== part.innerHTML) part.innerHTML = fresh.innerHTML;
    }
    document.getElementById('freshness').textContent = 'Refreshes by itself every 2 s';
  } catch {
    document.getElementById('freshness').textContent = 'Not refreshed: the sandbox does not answer';
  }
};
setInterval(refresh, 2000);
`;
