'use client';

import { formatMoney } from '#/format/amounts.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import { signedHundredths } from '../rules/amounts.ts';
import type { Account } from '../rules/document.ts';
import { type FlowNode, layOutFlow } from './flow.ts';
import classes from './flow-diagram.module.css';
import type { ReplayResult } from './replay-text.ts';

const BANDS_HEIGHT = 150;
const WIDTH = 720;
const NODE = 10;
const LABELS = 190;

/** A diagram of the payments that move between accounts, with the same data as a table; a row shows its payments. */
export function FlowDiagram({
  result,
  accounts,
  nameOf,
  move,
  onMove,
}: {
  result: ReplayResult;
  accounts: readonly Account[];
  nameOf: (accountId: string | null) => string;
  move: string | null;
  onMove: (move: string | null) => void;
}) {
  const { height, left, right, links } = layOutFlow(result.moves, BANDS_HEIGHT);
  const colourOf = (accountId: string | null) => {
    const gateway = accounts.find((account) => account.accountId === accountId)?.gateway;
    return gateway === undefined ? 'var(--over)' : gatewayTokens(gateway).strong;
  };
  const label = (node: FlowNode, side: 'start' | 'end') => (
    <text
      x={side === 'start' ? LABELS - 10 : WIDTH - LABELS + 10}
      y={node.y + node.height / 2}
      textAnchor={side === 'start' ? 'end' : 'start'}
      dominantBaseline="central"
    >
      {nameOf(node.accountId)} <tspan className="tabular-nums font-semibold">{node.payments.toLocaleString('en')}</tspan>
    </text>
  );
  return (
    <section className="mt-5" aria-labelledby="moves">
      <h2 id="moves" className="mb-1 text-lg font-semibold tracking-[-0.005em]">
        What moves
      </h2>
      <div className="overflow-x-auto">
        <svg className={classes.drawing} viewBox={`0 -22 ${WIDTH} ${height + 30}`} aria-hidden="true">
          <text className={classes.head} x={LABELS - 10} y={-8} textAnchor="end">
            active rules
          </text>
          <text className={classes.head} x={WIDTH - LABELS + 10} y={-8}>
            draft
          </text>
          {links.map((link) => {
            const x1 = LABELS + NODE;
            const x2 = WIDTH - LABELS - NODE;
            const middle = (x1 + x2) / 2;
            return (
              <path
                key={keyOf(link)}
                className="fill-none opacity-32 data-[quiet=true]:opacity-10"
                data-quiet={move !== null && move !== keyOf(link)}
                d={`M${x1} ${link.fromY} C${middle} ${link.fromY} ${middle} ${link.toY} ${x2} ${link.toY}`}
                stroke={colourOf(link.to)}
                strokeWidth={link.thickness}
              />
            );
          })}
          {left.map((node) => (
            <g key={node.accountId}>
              <rect x={LABELS} y={node.y} width={NODE} height={node.height} rx={2} fill={colourOf(node.accountId)} />
              {label(node, 'start')}
            </g>
          ))}
          {right.map((node) => (
            <g key={node.accountId}>
              <rect
                x={WIDTH - LABELS - NODE}
                y={node.y}
                width={NODE}
                height={node.height}
                rx={2}
                fill={colourOf(node.accountId)}
              />
              {label(node, 'end')}
            </g>
          ))}
        </svg>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col" className={classes.figure}>
                Payments
              </th>
              <th scope="col" className={classes.figure}>
                Amount
              </th>
              <th scope="col" className={classes.figure}>
                Succeeded
              </th>
              <th scope="col" className={classes.figure}>
                Failed
              </th>
              <th scope="col" className={classes.figure}>
                Pending
              </th>
              <th scope="col" className={classes.figure}>
                Fee difference
              </th>
              <th scope="col">Reason</th>
              <th scope="col">
                <span className="sr-only">Show</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {result.moves.map((each) => (
              <tr key={keyOf(each)} data-shown={move === keyOf(each)}>
                <td>{nameOf(each.from)}</td>
                <td>{nameOf(each.to)}</td>
                <td className={classes.figure}>{each.payments.toLocaleString('en')}</td>
                <td className={classes.figure}>
                  {Object.entries(each.amounts)
                    .map(([currency, amount]) => formatMoney(currency, amount))
                    .join(', ')}
                </td>
                <td className={classes.figure}>{each.outcomes.paid.toLocaleString('en')}</td>
                <td className={classes.figure}>{each.outcomes.unpaid.toLocaleString('en')}</td>
                <td className={classes.figure}>{each.outcomes.open.toLocaleString('en')}</td>
                <td className={classes.figure}>{feesText(each.fees)}</td>
                <td className={classes.reason}>
                  {each.why[0]?.message}
                  {each.why.length > 1 && ` And ${each.why.length - 1} other reasons.`}
                </td>
                <td>
                  <button
                    type="button"
                    className="text-accent-ink underline"
                    aria-pressed={move === keyOf(each)}
                    onClick={() => onMove(move === keyOf(each) ? null : keyOf(each))}
                  >
                    {move === keyOf(each) ? 'Show all' : 'Show these'}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The difference in fees of a move's paid payments, in each currency that can be compared. */
function feesText(fees: ReplayResult['fees']): string {
  const known = fees.filter(({ compared }) => compared > 0);
  return known.length === 0
    ? '–'
    : known.map(({ currency, difference }) => `${currency} ${signedHundredths(difference)}`).join(', ');
}

/** A move as part of an address: `from>to`, empty for no account. */
function keyOf({ from, to }: { readonly from: string | null; readonly to: string | null }): string {
  return `${from ?? ''}>${to ?? ''}`;
}
