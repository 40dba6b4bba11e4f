import { describeLength } from '../../../../../time/moments.ts';
import type { RouterOutputs } from '../../../../../trpc/outputs.ts';
import { methodTitle } from '../../../../../words/gateways.ts';
import { dayAndClockOf } from '../../_components/clock.ts';
import classes from './preview-table.module.css';

type Preview = Extract<RouterOutputs['health']['previewThresholds'], { kind: 'preview' }>;
type Series = Preview['series'][number];

/** How often accounts would have been in trouble, in force and proposed, all together. */
export interface PreviewSum {
  readonly inForce: { readonly down: number; readonly degraded: number; readonly troubledMs: number };
  readonly proposed: { readonly down: number; readonly degraded: number; readonly troubledMs: number };
}

export function sumPreview({ series }: Preview): PreviewSum {
  const add = (of: (one: Series) => Series['inForce']) => ({
    down: series.reduce((sum, one) => sum + of(one).down, 0),
    degraded: series.reduce((sum, one) => sum + of(one).degraded, 0),
    troubledMs: series.reduce((sum, one) => sum + of(one).troubledMs, 0),
  });
  return { inForce: add((one) => one.inForce), proposed: add((one) => one.proposed) };
}

/** How often each account and method would have been in trouble last month, by what is in force and by what is proposed. */
export function PreviewTable({ preview }: { preview: Preview }) {
  const { series, from, to } = preview;
  return (
    <section className={classes.preview} aria-label="Last month, tried">
      <h2 className={classes.title}>
        {dayAndClockOf(from)} to {dayAndClockOf(to)}
      </h2>
      <p className={classes.lead}>
        Times in trouble had these thresholds judged what was counted. Payments that would have gone elsewhere in consequence are
        not made up for.
      </p>
      {series.length === 0 ? (
        <p className={classes.lead}>Nothing was counted of any account in this time, so nothing can be said.</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Account and method</th>
                <th scope="col">Down, in force</th>
                <th scope="col">proposed</th>
                <th scope="col">Degraded, in force</th>
                <th scope="col">proposed</th>
                <th scope="col">In trouble, in force</th>
                <th scope="col">proposed</th>
              </tr>
            </thead>
            <tbody>
              {series.map((one) => (
                <Row key={`${one.accountId}|${one.method}`} series={one} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ series }: { series: Series }) {
  const { label, method, inForce, proposed, latest } = series;
  return (
    <tr>
      <th scope="row" title={latest.map(({ why }) => why).join('\n')}>
        {label}, {method === null ? 'all methods' : methodTitle(method)}
      </th>
      <td>{inForce.down}</td>
      <Changed before={inForce.down} after={proposed.down} />
      <td>{inForce.degraded}</td>
      <Changed before={inForce.degraded} after={proposed.degraded} />
      <td>{inForce.troubledMs === 0 ? '–' : describeLength(inForce.troubledMs)}</td>
      <Changed before={inForce.troubledMs} after={proposed.troubledMs} word={(ms) => (ms === 0 ? '–' : describeLength(ms))} />
    </tr>
  );
}

function Changed({ before, after, word = String }: { before: number; after: number; word?: (value: number) => string }) {
  const change = after === before ? 'same' : after > before ? 'more' : 'less';
  return (
    <td data-change={change} className={classes.changed}>
      {word(after)}
      {change !== 'same' && <span className={classes.arrow}>{change === 'more' ? ' ▲ more' : ' ▼ less'}</span>}
    </td>
  );
}
