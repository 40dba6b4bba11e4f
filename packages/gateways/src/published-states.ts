import { channel } from 'node:diagnostics_channel';

/** Kinds of things whose state a gateway names by a word. */
export const stateKinds = ['transaction', 'refund', 'dispute', 'settlement'] as const;

/** An answer with a word for a state that the gateway's documentation does not list. */
export interface UnrecognisedState {
  /** Name of the gateway. */
  readonly gateway: string;
  readonly kind: (typeof stateKinds)[number];
}

const UNRECOGNISED = channel('switchyard:unrecognised-state');

const published = new Map<string, readonly string[]>();
const subjects = new WeakMap<object, UnrecognisedState>();

/**
 * The complete table of the words that a gateway publishes for the states of one kind of things. A word outside of it is reported to
 * {@link observeUnrecognisedStates} whenever it is read.
 */
export function publishedStates<State extends string>(
  gateway: string,
  kind: UnrecognisedState['kind'],
  words: Readonly<Record<string, State>>,
): Readonly<Record<string, State>> {
  subjects.set(words, { gateway, kind });
  published.set(`${gateway}/${kind}`, Object.keys(words));
  return words;
}

/** The words of a table of {@link publishedStates}, or null without one. */
export function publishedWords(gateway: string, kind: UnrecognisedState['kind']): readonly string[] | null {
  return published.get(`${gateway}/${kind}`) ?? null;
}

/** Reports a word that is not in the table, if the table is one of {@link publishedStates}. */
export function reportOutside(table: object): void {
  const subject = subjects.get(table);
  if (subject !== undefined) reportUnrecognised(subject);
}

/** Reports a word that is in no table of the gateway's. */
export function reportUnrecognised(state: UnrecognisedState): void {
  if (UNRECOGNISED.hasSubscribers) UNRECOGNISED.publish(state);
}

/** Calls `observe` for every word that is not recognised in this process; the returned function ends that. */
export function observeUnrecognisedStates(observe: (state: UnrecognisedState) => void): () => void {
  const listener = (message: unknown) => observe(message as UnrecognisedState);
  UNRECOGNISED.subscribe(listener);
  return () => UNRECOGNISED.unsubscribe(listener);
}
