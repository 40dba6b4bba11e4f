/** Something on the right that one on the left may be paired with, and at which cost. */
export interface Choice<Right> {
  readonly right: Right;
  /** Not negative. */
  readonly cost: bigint;
}

/** Beyond so many on the left that compete with each other, each takes the cheapest that is left. */
const COMPETING_MAX = 1_500;

/**
 * Pairs as many as any pairing could, each once, and of those pairings the one that costs least over all; of equal ones the one that the order
 * of `lefts` and of their choices gives. Pure.
 */
export function assignCheapest<Left, Right>(
  lefts: readonly Left[],
  choicesOf: (left: Left) => readonly Choice<Right>[],
): readonly (readonly [Left, Right])[] {
  const edges = lefts.map(choicesOf);
  const rights = [...new Set(edges.flatMap((choices) => choices.map(({ right }) => right)))];
  const placeOf = new Map(rights.map((right, at) => [right, at]));
  const graph = edges.map((choices) => choices.map(({ right, cost }): Edge => ({ to: placeOf.get(right) ?? 0, cost })));
  const pairedWith: (number | null)[] = lefts.map(() => null);
  for (const group of competing(graph, rights.length)) {
    const pair = group.length > COMPETING_MAX ? takeInOrder : pairCheapest;
    for (const [left, right] of pair(graph, group)) pairedWith[left] = right;
  }
  return lefts.flatMap((left, at): (readonly [Left, Right])[] => {
    const place = pairedWith[at];
    if (place === null || place === undefined || place >= rights.length) return [];
    return [[left, rights[place] as Right]];
  });
}

interface Edge {
  readonly to: number;
  readonly cost: bigint;
}

type Graph = readonly (readonly Edge[])[];

/** The places on the left by whether they compete for the same on the right, directly or through others. */
function competing(graph: Graph, rightCount: number): number[][] {
  const parent = Array.from({ length: graph.length + rightCount }, (_, at) => at);
  const rootOf = (node: number): number => {
    let root = node;
    while (parent[root] !== root) root = parent[root] ?? root;
    for (let at = node; at !== root; ) {
      const next = parent[at] ?? root;
      parent[at] = root;
      at = next;
    }
    return root;
  };
  for (const [left, edges] of graph.entries()) {
    for (const { to } of edges) parent[rootOf(graph.length + to)] = rootOf(left);
  }
  const lefts = [...graph.keys()].filter((left) => (graph[left] ?? []).length > 0);
  return [...Map.groupBy(lefts, rootOf).values()];
}

/** Pairs one after another along the cheapest path that makes one pair more, until there is none: successive shortest paths. */
function pairCheapest(graph: Graph, group: readonly number[]): Map<number, number> {
  const rightOf = new Map<number, number>();
  const leftOf = new Map<number, number>();
  const costOf = (left: number, right: number) => (graph[left] ?? []).find(({ to }) => to === right)?.cost ?? 0n;
  for (;;) {
    const path = cheapestPath(graph, group, { rightOf, leftOf, costOf });
    if (path === null) return rightOf;
    for (const [left, right] of path) {
      rightOf.set(left, right);
      leftOf.set(right, left);
    }
  }
}

interface Pairs {
  readonly rightOf: ReadonlyMap<number, number>;
  readonly leftOf: ReadonlyMap<number, number>;
  readonly costOf: (left: number, right: number) => bigint;
}

/** The new pairs of the cheapest path from a left without a pair to a right without one; null without a path. */
function cheapestPath(graph: Graph, group: readonly number[], { rightOf, leftOf, costOf }: Pairs): [number, number][] | null {
  const distance = new Map<number, bigint>();
  const cameFrom = new Map<number, number>();
  const waiting: number[] = [];
  const isWaiting = new Set<number>();
  const reachLeft = (left: number, cost: bigint) => {
    const known = distance.get(left);
    if (known !== undefined && known <= cost) return false;
    distance.set(left, cost);
    if (!isWaiting.has(left)) {
      isWaiting.add(left);
      waiting.push(left);
    }
    return true;
  };
  for (const left of group) if (!rightOf.has(left)) reachLeft(left, 0n);
  let end: { readonly left: number; readonly right: number; readonly cost: bigint } | null = null;
  for (let at = 0; at < waiting.length; at += 1) {
    const left = waiting[at];
    if (left === undefined) break;
    isWaiting.delete(left);
    const so = distance.get(left) ?? 0n;
    for (const { to, cost } of graph[left] ?? []) {
      if (rightOf.get(left) === to) continue;
      const owner = leftOf.get(to);
      const total = so + cost;
      if (owner === undefined) {
        if (end === null || total < end.cost) end = { left, right: to, cost: total };
      } else if (reachLeft(owner, total - costOf(owner, to))) cameFrom.set(owner, left);
    }
  }
  if (end === null) return null;
  const pairs: [number, number][] = [];
  for (let { left, right } = end; ; ) {
    pairs.push([left, right]);
    const before = rightOf.get(left);
    const previous = cameFrom.get(left);
    if (before === undefined || previous === undefined) return pairs;
    [left, right] = [previous, before];
  }
}

function takeInOrder(graph: Graph, group: readonly number[]): Map<number, number> {
  const rightOf = new Map<number, number>();
  const taken = new Set<number>();
  for (const left of group) {
    const free = (graph[left] ?? []).filter(({ to }) => !taken.has(to));
    const [first] = free;
    if (first === undefined) continue;
    const cheapest = free.reduce((a, b) => (b.cost < a.cost ? b : a), first);
    rightOf.set(left, cheapest.to);
    taken.add(cheapest.to);
  }
  return rightOf;
}
