/** A discrepancy, as it is named in a change. */
export interface DiscrepancyKey {
  readonly merchantId: string;
  readonly discrepancyId: string;
}

/** A change that is under way, or was refused. */
interface Mutation<Input> {
  readonly isPending: boolean;
  readonly error: { readonly message: string } | null;
  readonly mutate: (input: Input) => void;
  readonly mutateAsync: (input: Input) => Promise<unknown>;
}

/** How a discrepancy is closed: corrected, or explained with nothing to do. */
export interface Resolution {
  readonly as: 'RESOLVED' | 'EXPLAINED';
  readonly why: string;
}

/** Changes of one discrepancy, of whatever list it is in. */
export interface DiscrepancyActions {
  readonly note: Mutation<DiscrepancyKey & { note: string | null }>;
  readonly assign: Mutation<DiscrepancyKey & { ownerId: string | null }>;
  readonly resolve: Mutation<DiscrepancyKey & Resolution>;
  readonly reopen: Mutation<DiscrepancyKey>;
}

/** Result of a change for each of several discrepancies. */
export type BulkResults = readonly {
  readonly discrepancyId: string;
  readonly outcome:
    | { readonly kind: 'changed' | 'unchanged' | 'not_found' | 'failed' }
    | { readonly kind: 'refused'; readonly why: string };
}[];

/** The same change of several discrepancies. */
export interface BulkMutation<Change> {
  readonly error: { readonly message: string } | null;
  readonly reset: () => void;
  readonly mutateAsync: (input: { keys: DiscrepancyKey[]; change: Change }) => Promise<BulkResults>;
}
