'use client';

import { formatMoney } from '#/format/amounts.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import type { ReplayResult } from '../replay/use-replay.ts';
import { accountNamer, signedHundredths } from '../rules/copy.ts';

const BANDS_HEIGHT = 150;
const WIDTH = 720;
const NODE = 10;
const LABELS = 190;

/** A diagram of the payments that move between accounts, with the same data as a table; a row shows its payments. */
export function FlowDiagram({
  moves,
  accounts,
  move,
  onMove,
}: {
  moves: ReplayResult['moves'];
  accounts: LiveRouting['accounts'];
  /** The move whose payments are listed; null for all. */
  move: string | null;
  /** Undefined where the payments of one move cannot be listed. */
  onMove: ((move: string | null) => void) | undefined;
}) {
  const nameOf = accountNamer(accounts);
  const { height, left, right, links } = layOutFlow(moves, BANDS_HEIGHT);
  const hasReasons = moves.some(({ why }) => why.length > 0);
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
      <div className="relative overflow-x-auto">
        <svg
          className="block w-full max-w-[720px] text-sm max-phone:w-[600px] max-phone:text-[15px] [&_text]:fill-ink"
          viewBox={`0 -22 ${WIDTH} ${height + 30}`}
          aria-hidden="true"
        >
          <text
            className="text-xs max-phone:text-base"
            style={{ fill: 'var(--ink-faint)' }}
            x={LABELS - 10}
            y={-8}
            textAnchor="end"
          >
            active rules
          </text>
          <text className="text-xs max-phone:text-base" style={{ fill: 'var(--ink-faint)' }} x={WIDTH - LABELS + 10} y={-8}>
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
        <table className="lined-table max-w-[1200px] mt-2 whitespace-nowrap">
          <caption className="sr-only">Payments that change their first account, by outcome</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              {['Payments', 'Amount', 'Succeeded', 'Failed', 'Pending', 'Fee difference'].map((title) => (
                <th key={title} scope="col" className="tabular-nums text-right">
                  {title}
                </th>
              ))}
              {hasReasons && <th scope="col">Reason</th>}
              {onMove !== undefined && (
                <th scope="col">
                  <span className="sr-only">Show</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {moves.map((each) => {
              const { from, to, payments, outcomes, amounts, fees, why } = each;
              const isShown = move === keyOf(each);
              return (
                <tr key={keyOf(each)} className={isShown ? 'bg-accent-soft' : undefined}>
                  <td>{nameOf(from)}</td>
                  <td>{nameOf(to)}</td>
                  <td className="tabular-nums text-right">{payments.toLocaleString('en')}</td>
                  <td className="tabular-nums text-right">{amountsText(amounts)}</td>
                  <td className="tabular-nums text-right">{outcomes.paid.toLocaleString('en')}</td>
                  <td className="tabular-nums text-right">{outcomes.unpaid.toLocaleString('en')}</td>
                  <td className="tabular-nums text-right">{outcomes.open.toLocaleString('en')}</td>
                  <td className="tabular-nums text-right">{feesText(fees)}</td>
                  {hasReasons && (
                    <td className="min-w-[220px] text-ink-quiet whitespace-normal">
                      {why[0]?.message}
                      {why.length === 2 && ' And 1 other reason.'}
                      {why.length > 2 && ` And ${why.length - 1} other reasons.`}
                    </td>
                  )}
                  {onMove !== undefined && (
                    <td>
                      <button
                        type="button"
                        className="text-accent-ink underline"
                        aria-pressed={isShown}
                        onClick={() => onMove(isShown ? null : keyOf(each))}
                      >
                        {isShown ? 'Show all' : 'Show these'}
                      </button>
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function amountsText(amounts: Readonly<Record<string, bigint>>): string {
  return Object.entries(amounts)
    .map(([currency, amount]) => formatMoney(currency, amount))
    .join(', ');
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

/** Payments that move from one account to another; null is no account. */
interface FlowMove {
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
}

/** An account in the flow diagram; `accountId` null for payments without one. */
interface FlowNode {
  readonly accountId: string | null;
  readonly payments: number;
  /** Top and height, in the diagram's units. */
  readonly y: number;
  readonly height: number;
}

interface FlowLink extends FlowMove {
  /** Middle of the band at either end, and how thick it is. */
  readonly fromY: number;
  readonly toY: number;
  readonly thickness: number;
}

interface FlowLayout {
  readonly height: number;
  readonly left: readonly FlowNode[];
  readonly right: readonly FlowNode[];
  readonly links: readonly FlowLink[];
}

const GAP = 14;
const LINK_WIDTH_MIN = 3;

/**
 * Lays moves out as bands between two columns of accounts: losers left, winners right, largest on top. Thickness is in proportion
 * to payments, never under what can be seen; the bands of a node fill it exactly, without crossing where they begin.
 */
export function layOutFlow(moves: readonly FlowMove[], bandsHeight: number): FlowLayout {
  const total = moves.reduce((sum, { payments }) => sum + payments, 0);
  if (total === 0) return { height: 0, left: [], right: [], links: [] };
  const thick = (payments: number) => Math.max(LINK_WIDTH_MIN, (payments / total) * bandsHeight);
  const left = column(moves, 'from', thick);
  const right = column(moves, 'to', thick);
  const filled = { left: new Map<string | null, number>(), right: new Map<string | null, number>() };
  const placeOf = (nodes: readonly FlowNode[], accountId: string | null) =>
    nodes.findIndex((node) => node.accountId === accountId);
  const sorted = [...moves].sort(
    (one, other) => placeOf(left, one.from) - placeOf(left, other.from) || placeOf(right, one.to) - placeOf(right, other.to),
  );
  const links = sorted.map((move): FlowLink => {
    const thickness = thick(move.payments);
    const middle = (side: 'left' | 'right', nodes: readonly FlowNode[], accountId: string | null) => {
      const used = filled[side].get(accountId) ?? 0;
      filled[side].set(accountId, used + thickness);
      return (nodes[placeOf(nodes, accountId)]?.y ?? 0) + used + thickness / 2;
    };
    return { ...move, thickness, fromY: middle('left', left, move.from), toY: middle('right', right, move.to) };
  });
  return { height: Math.max(bottomOf(left), bottomOf(right)), left, right, links };
}

function column(moves: readonly FlowMove[], end: 'from' | 'to', thick: (payments: number) => number): FlowNode[] {
  const own = Array.from(
    Map.groupBy(moves, (move) => move[end]),
    ([accountId, ends]) => ({
      accountId,
      payments: ends.reduce((sum, { payments }) => sum + payments, 0),
      height: ends.reduce((sum, { payments }) => sum + thick(payments), 0),
    }),
  ).sort((one, other) => other.payments - one.payments);
  let y = 0;
  return own.map((node) => {
    const placed = { ...node, y };
    y += node.height + GAP;
    return placed;
  });
}

function bottomOf(nodes: readonly FlowNode[]): number {
  const last = nodes.at(-1);
  return last === undefined ? 0 : last.y + last.height;
}
