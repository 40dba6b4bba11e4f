import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText } from '#/copy/health.ts';
import { dayAndClockOf, describeLength } from '#/format/moments.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Preview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;
type Series = Preview['series'][number];

/** How often accounts would have been in trouble, in force and proposed, all together. */
export interface PreviewSum {
  readonly inForce: { readonly down: number; readonly degraded: number; readonly unhealthyMs: number };
  readonly proposed: { readonly down: number; readonly degraded: number; readonly unhealthyMs: number };
}

/** The sums over all accounts and methods, of the active thresholds and of those proposed. */
export function sumPreview({ series }: Preview): PreviewSum {
  const add = (of: (one: Series) => Series['inForce']) => ({
    down: series.reduce((sum, one) => sum + of(one).down, 0),
    degraded: series.reduce((sum, one) => sum + of(one).degraded, 0),
    unhealthyMs: series.reduce((sum, one) => sum + of(one).unhealthyMs, 0),
  });
  return { inForce: add((one) => one.inForce), proposed: add((one) => one.proposed) };
}

const FIGURES = [
  'Down, current',
  'Down, proposed',
  'Degraded, current',
  'Degraded, proposed',
  'Unhealthy, current',
  'Unhealthy, proposed',
] as const;

/** How often each account and method would have been in trouble last month, by what is active and by what is proposed. */
export function PreviewTable({ preview }: { preview: Preview }) {
  const { series, from, to } = preview;
  return (
    <section className="pt-5 border-t border-line" aria-label="Preview on last month">
      <h2 className="text-base font-semibold">
        {dayAndClockOf(from)} to {dayAndClockOf(to)}
      </h2>
      <p className="max-w-[720px] mt-1 mb-3 text-ink-quiet text-sm">
        How often accounts would have been down or degraded with these thresholds. Payments that would then have been routed
        otherwise are not taken into account.
      </p>
      {series.length === 0 ? (
        <p className="max-w-[720px] mt-1 mb-3 text-ink-quiet text-sm">
          No account opened a checkout in this time, so there is nothing to compare.
        </p>
      ) : (
        <PlainTable
          label="Unhealthy periods"
          columns={[{ title: 'Account and method' }, ...FIGURES.map((title) => ({ title, number: true }))]}
        >
          <tbody {...roles.group}>
            {series.map((one) => (
              <Row key={`${one.accountId}|${one.method}`} series={one} />
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

function Row({ series }: { series: Series }) {
  const { label, method, inForce, proposed, latest } = series;
  return (
    <tr {...roles.row}>
      <th scope="row" {...roles.rowHeader} title={latest.map((one) => healthReasonText(one)).join('\n')}>
        {label}, {method === null ? 'all methods' : methodTitle(method)}
      </th>
      <td {...numberCell('Down, current')}>{inForce.down}</td>
      <Changed name="Down, proposed" before={inForce.down} after={proposed.down} />
      <td {...numberCell('Degraded, current')}>{inForce.degraded}</td>
      <Changed name="Degraded, proposed" before={inForce.degraded} after={proposed.degraded} />
      <td {...numberCell('Unhealthy, current')}>{inForce.unhealthyMs === 0 ? '–' : describeLength(inForce.unhealthyMs)}</td>
      <Changed
        name="Unhealthy, proposed"
        before={inForce.unhealthyMs}
        after={proposed.unhealthyMs}
        word={(ms) => (ms === 0 ? '–' : describeLength(ms))}
      />
    </tr>
  );
}

const TONES = { same: 'quiet', more: 'bad', less: 'good' } as const;

function Changed({
  name,
  before,
  after,
  word = String,
}: {
  name: string;
  before: number;
  after: number;
  word?: (value: number) => string;
}) {
  const change = after === before ? 'same' : after > before ? 'more' : 'less';
  return (
    <td {...numberCell(name)} data-tone={TONES[change]}>
      {word(after)}
      {change !== 'same' && <span className="text-xs font-normal">{change === 'more' ? ' ▲ more' : ' ▼ less'}</span>}
    </td>
  );
}
