/** Payments that move from one account to another; null is no account. */
interface FlowMove {
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
}

/** An account in the flow diagram; `accountId` null for payments without one. */
export interface FlowNode {
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
