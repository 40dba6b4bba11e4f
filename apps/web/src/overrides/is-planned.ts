/** An override as far as telling whether it has begun takes. */
interface Identified {
  readonly overrideId: string;
}

/**
 * True if the override has not started yet, by the account as it is shown now. By id: each live message brings new objects, so an
 * override that a dialog has kept is not among them as itself.
 */
export function isPlanned({ planned }: { readonly planned: readonly Identified[] }, { overrideId }: Identified): boolean {
  return planned.some((other) => other.overrideId === overrideId);
}
