import { type ActiveFault, affectedCalls, faultKinds } from '../faults/faults.ts';
import { paidCharge } from '../ledger/records.ts';
import { type Html, html, page } from '../pages/html.ts';
import type { Reply } from '../server/router.ts';
import type { GatewaySpec } from '../simulator.ts';
import { type GatewayName, gatewayNames, type SimulatorServer, type SimulatorServers } from '../simulators.ts';
import { controlScript, controlStyle } from './style.ts';
import {
  callHead,
  callRow,
  hookHead,
  hookRow,
  type Row,
  refundHead,
  refundRow,
  shownRows,
  table,
  transactionHead,
  transactionRow,
} from './tables.ts';

/** The lists of the control page, in their order. */
export const viewNames = ['transactions', 'calls', 'webhooks', 'refunds'] as const;
type ViewName = (typeof viewNames)[number];

/** The list that is shown; it is all in the page's address. */
export interface View {
  readonly list: ViewName;
  readonly gateway: GatewayName | null;
  /** Everything about one reference, in place of the lists. */
  readonly reference: string | null;
}

/** Errors of a gateway's form, and the typed values, so that the form can be shown again. */
export interface FormErrors {
  readonly gateway: GatewayName;
  readonly errors: readonly string[];
  readonly typed: Readonly<Record<string, string>>;
}

/** The control page: each gateway with its fault, and the sandbox's records. */
export function overview(servers: SimulatorServers, view: View, formErrors: FormErrors | null): Reply {
  const shown = gatewayNames.filter((name) => view.gateway === null || view.gateway === name).map((name) => servers[name]);
  const body = html`
<aside class="test-band" aria-label="Test mode"><strong>TEST</strong> · Simulators of payment gateways. No money moves here.</aside>
<div class="frame">
<header class="top"><h1>Payment sandbox</h1><p class="small"><a href="/messages">Messages</a></p><p class="quiet small" id="freshness" role="status">Refreshes by itself every 2 s</p></header>
<main>
<div class="gateways">${gatewayNames.map((name) => gatewayPanel(servers[name], view, formErrors?.gateway === name ? formErrors : null))}</div>
${navigation(servers, view)}
<p class="small"><a href="/shop">What merchants' servers were sent</a></p>
<div id="lists" data-live>${view.reference === null ? list(view.list, shown, view) : references(view.reference, shown, view)}</div>
</main></div>`;
  return page(formErrors === null ? 200 : 422, 'Payment sandbox', controlStyle, controlScript, body);
}

function gatewayPanel(server: SimulatorServer, view: View, formErrors: FormErrors | null): Html {
  const { spec, faults } = server.simulator;
  return html`<section class="gateway" aria-labelledby="${spec.name}-title">
<div class="gateway-head"><h2 id="${spec.name}-title">${spec.title}</h2><code>${server.simulator.address()}</code></div>
<div id="${spec.name}-state" data-live>${stateOf(server)}${figures(server)}</div>
${formErrors === null ? null : html`<p class="note bad" role="alert">${formErrors.errors.join('; ')}</p>`}
${switchForm(spec, faults.active, view, formErrors?.typed ?? null)}
${spec.settlementFee === undefined ? null : payOutForm(spec, view)}
</section>`;
}

function stateOf(server: SimulatorServer): Html {
  const fault = server.simulator.faults.active;
  if (fault === null)
    return html`<p><span class="state good">Works</span></p><p class="fault-words quiet">No fault is switched on.</p>`;
  const tone = fault.kind === 'down' ? 'bad' : 'warn';
  const details = [
    fault.latencyMs === undefined ? '' : `latency ${fault.latencyMs.toLocaleString('en-NG')} ms`,
    fault.probability === undefined || fault.probability === 1
      ? ''
      : `strikes with probability ${fault.probability}, seed ${fault.seed}`,
    fault.calls === undefined ? '' : `only ${fault.calls} calls`,
    `since ${fault.since.slice(11, 19)} UTC`,
  ].filter((part) => part !== '');
  return html`<p><span class="state ${tone}">Fault: ${fault.kind}</span></p>
<p class="fault-words quiet">${faultKinds[fault.kind]}<br><span class="small">${details.join(' · ')}</span></p>`;
}

function figures(server: SimulatorServer): Html {
  const { ledger } = server.simulator;
  const checkouts = ledger.checkouts();
  const figure = (title: string, value: number): Html =>
    html`<div><dt>${title}</dt><dd>${value.toLocaleString('en-NG')}</dd></div>`;
  return html`<dl class="figures">
${figure('Transactions', checkouts.length)}
${figure('Paid', checkouts.filter((checkout) => paidCharge(checkout) !== null).length)}
${figure('Calls', ledger.calls().length)}
${figure('Webhooks under way', ledger.hooks().filter((hook) => hook.state === 'pending').length)}
${figure('Accounts', ledger.accounts().length)}
${server.simulator.spec.settlementFee === undefined ? null : figure('Settlements', settlementCount(server))}
</dl>`;
}

function settlementCount({ simulator: { ledger } }: SimulatorServer): number {
  return ledger.accounts().reduce((count, account) => count + ledger.settlementsOf(account.id).length, 0);
}

function switchForm(
  { name, title, faults }: GatewaySpec,
  active: ActiveFault | null,
  view: View,
  typed: Readonly<Record<string, string>> | null,
): Html {
  const kind = typed?.kind ?? active?.kind ?? 'down';
  const calls = typed?.calls ?? active?.calls ?? '';
  const value = (field: 'latencyMs' | 'probability' | 'seed'): string => typed?.[field] ?? String(active?.[field] ?? '');
  const input = (field: 'latencyMs' | 'probability' | 'seed', label: string, placeholder: string): Html =>
    html`<div><label for="${name}-${field}">${label}</label><input id="${name}-${field}" name="${field}" inputmode="decimal" autocomplete="off" placeholder="${placeholder}" value="${value(field)}"></div>`;
  return html`<form class="switch" method="post" action="/switch/${name}" aria-label="Fault of ${title}">
<input type="hidden" name="back" value="${queryOf(view)}">
<div class="kind"><label for="${name}-kind">Fault</label><select id="${name}-kind" name="kind">${faults.map(
    (option) => html`<option value="${option}" ${option === kind ? html`selected` : null}>${option}</option>`,
  )}</select></div>
${input('latencyMs', 'Latency, ms', 'its own')}
${input('probability', 'Probability', '1')}
${input('seed', 'Seed', '1')}
<div><label for="${name}-calls">Calls</label><select id="${name}-calls" name="calls"><option value="">all</option>${affectedCalls.map(
    (option) => html`<option value="${option}" ${option === calls ? html`selected` : null}>${option}</option>`,
  )}</select></div>
<div class="acts"><button class="primary" name="action" value="on">Switch on</button>
<button name="action" value="off" formnovalidate>Switch off</button></div>
</form>`;
}

function payOutForm({ name, title }: GatewaySpec, view: View): Html {
  return html`<form class="pay-out" method="post" action="/settlements/${name}" aria-label="Settlements of ${title}">
<input type="hidden" name="back" value="${queryOf(view)}">
<button>Settle now</button> <span class="small quiet">Pays out what was paid, without waiting for the next working day.</span>
</form>`;
}

function navigation(servers: SimulatorServers, view: View): Html {
  const item = (label: string, next: View, current: boolean): Html =>
    html`<li><a href="/${queryOf(next)}" ${current ? html`aria-current="page"` : null}>${label}</a></li>`;
  const lists = viewNames.map((name) =>
    item(
      `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      { ...view, list: name, reference: null },
      view.list === name && view.reference === null,
    ),
  );
  const gateways = [
    item('All gateways', { ...view, gateway: null }, view.gateway === null),
    ...gatewayNames.map((name) => item(servers[name].simulator.spec.title, { ...view, gateway: name }, view.gateway === name)),
  ];
  return html`<nav class="views" aria-label="Lists"><ul>${lists}</ul><ul>${gateways}</ul></nav>`;
}

function queryOf(view: View): string {
  const query = new URLSearchParams();
  if (view.list !== 'transactions') query.set('view', view.list);
  if (view.gateway !== null) query.set('gateway', view.gateway);
  if (view.reference !== null) query.set('reference', view.reference);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function list(name: ViewName, servers: readonly SimulatorServer[], view: View): Html {
  const counted = servers.map((server) => rowsOf(name, server, view));
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return empty(name, servers);
  const caption = total > shownRows ? `The newest ${shownRows} of ${total.toLocaleString('en-NG')} ${name}` : `${total} ${name}`;
  const rows = counted.flatMap((part) => part.rows);
  return table(caption, heads[name], rows);
}

const heads: Readonly<Record<ViewName, readonly string[]>> = {
  transactions: transactionHead,
  calls: callHead,
  webhooks: hookHead,
  refunds: refundHead,
};

interface Counted {
  readonly count: number;
  readonly rows: Row[];
}

function rowsOf(name: ViewName, { simulator }: SimulatorServer, view: View): Counted {
  const newest = <T>(items: readonly T[], row: (item: T) => Row): Counted => ({
    count: items.length,
    rows: items.slice(-shownRows).map(row),
  });
  switch (name) {
    case 'transactions':
      return newest(simulator.ledger.checkouts(), (checkout) => transactionRow(simulator, checkout, queryOf(view)));
    case 'calls':
      return newest(simulator.ledger.calls(), (call) => callRow(simulator, call));
    case 'webhooks':
      return newest(simulator.ledger.hooks(), (hook) => hookRow(simulator, hook));
    case 'refunds':
      return newest(simulator.ledger.refunds(), (refund) => refundRow(simulator, refund));
    default:
      return name satisfies never;
  }
}

function empty(name: ViewName, servers: readonly SimulatorServer[]): Html {
  return html`<div class="empty"><p>No ${name} yet. Open a payment at a gateway, and it appears here:</p>
${servers.map((server) => html`<pre>${server.simulator.spec.example(server.simulator.address())}</pre>`)}</div>`;
}

/** All records of one reference. */
function references(reference: string, servers: readonly SimulatorServer[], view: View): Html {
  const parts = servers.map(({ simulator }) => {
    const { ledger } = simulator;
    const of = <T extends { reference: string | null }>(items: T[]): T[] => items.filter((item) => item.reference === reference);
    return {
      transactions: of(ledger.checkouts()).map((checkout) => transactionRow(simulator, checkout, queryOf(view))),
      calls: of(ledger.calls()).map((call) => callRow(simulator, call)),
      hooks: of(ledger.hooks()).map((hook) => hookRow(simulator, hook)),
      bodies: of(ledger.hooks()).map(
        (hook) => html`<details><summary>${hook.event}, ${hook.at}</summary><pre class="body">${hook.body}</pre></details>`,
      ),
    };
  });
  return html`${table(
    `Reference ${reference}`,
    transactionHead,
    parts.flatMap((part) => part.transactions),
  )}
${table(
  'Calls',
  callHead,
  parts.flatMap((part) => part.calls),
)}
${table(
  'Webhooks',
  hookHead,
  parts.flatMap((part) => part.hooks),
)}
${parts.flatMap((part) => part.bodies)}`;
}
