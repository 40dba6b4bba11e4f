import { gatewayNames } from '../ledger/records.ts';
import { isGatewayName } from '../options.ts';
import { type Inbound, json, parseForm, type Reply, type Route, redirect } from '../server/router.ts';
import type { Station, Stations } from '../station.ts';
import { clearFault, setFault, settleTransaction } from './commands.ts';
import { overview, type View, viewNames } from './overview.ts';

/** The page at the root, and the forms on it. */
export const pageRoutes: readonly Route<Stations>[] = [
  { method: 'GET', pattern: '/', handle: (request, stations) => overview(stations, viewFrom(request.query), null) },
  { method: 'POST', pattern: '/switch/:gateway', handle: (request, stations) => withStation(request, stations, flip) },
  { method: 'POST', pattern: '/act/:gateway', handle: (request, stations) => withStation(request, stations, act) },
];

type FormHandler = (station: Station, form: Record<string, string>, stations: Stations) => Promise<Reply>;

function withStation(request: Inbound, stations: Stations, handler: FormHandler): Reply | Promise<Reply> {
  const name = request.params.gateway ?? '';
  if (!isGatewayName(name)) return json(404, { error: `There is no gateway ${name}` });
  return handler(stations[name], parseForm(request.body), stations);
}

async function flip(station: Station, form: Record<string, string>, stations: Stations): Promise<Reply> {
  if (form.action === 'off') {
    await clearFault(station);
    return redirect(backTo(form));
  }
  const outcome = await setFault(station, {
    kind: form.kind,
    ...numberField('latencyMs', form.latencyMs),
    ...numberField('probability', form.probability),
    ...numberField('seed', form.seed),
    ...(form.calls !== undefined && form.calls !== '' && { calls: form.calls }),
  });
  if (outcome.kind === 'done') return redirect(backTo(form));
  const errors = outcome.kind === 'invalid' ? outcome.errors : [outcome.error];
  return overview(stations, viewFrom(new URLSearchParams(form.back ?? '')), {
    gateway: station.desk.spec.name,
    errors,
    typed: form,
  });
}

async function act(station: Station, form: Record<string, string>, stations: Stations): Promise<Reply> {
  const outcome = await settleTransaction(station, form.reference ?? '', { outcome: form.outcome });
  if (outcome.kind === 'done') return redirect(backTo(form));
  const errors = outcome.kind === 'invalid' ? outcome.errors : [outcome.error];
  return overview(stations, viewFrom(new URLSearchParams(form.back ?? '')), {
    gateway: station.desk.spec.name,
    errors,
    typed: {},
  });
}

/** An empty field was left out; what is not a number goes on as text, so that the rule for it can say so. */
function numberField(name: string, text: string | undefined): Record<string, unknown> {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return {};
  const value = Number(trimmed);
  return { [name]: Number.isNaN(value) ? trimmed : value };
}

function backTo(form: Record<string, string>): string {
  const query = new URLSearchParams(form.back ?? '').toString();
  return query === '' ? '/' : `/?${query}`;
}

function viewFrom(query: URLSearchParams): View {
  const reference = query.get('reference');
  return {
    list: viewNames.find((name) => name === query.get('view')) ?? 'transactions',
    gateway: gatewayNames.find((name) => name === query.get('gateway')) ?? null,
    reference: reference === null || reference === '' ? null : reference,
  };
}
