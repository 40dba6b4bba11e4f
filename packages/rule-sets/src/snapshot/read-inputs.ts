import type { Database } from '@switchyard/db';
import type { DecisionInputs, RoutableAccount, RoutablePayment } from '@switchyard/routing';
import { accountsIdOf, readAccounts, readInputs } from '@switchyard/routing/stored-inputs';
import { keptOnce, unpackDecision } from './store-inputs.ts';

type SnapshotSource = Pick<Database, 'prisma'>;

const read = new WeakMap<SnapshotSource, Map<string, Promise<readonly RoutableAccount[] | null>>>();

/** A payment's row, as far as it is about its decision's inputs. */
export interface StoredInputs {
  readonly merchantId: string;
  /** As `storeInputs` made them. */
  readonly inputs: unknown;
  readonly payment: RoutablePayment;
}

/** A decision's inputs as they were, from the payment's row and the accounts that it names; null where they cannot be read. */
export async function readStoredInputs(
  source: SnapshotSource,
  { merchantId, inputs, payment }: StoredInputs,
): Promise<DecisionInputs | null> {
  const id = accountsIdOf(inputs);
  return readInputs(inputs, payment, id === null ? null : await readSnapshot(source, merchantId, id));
}

/** The accounts of a snapshot, from memory where they were read before. A replica may not have it yet. */
function readSnapshot(source: SnapshotSource, merchantId: string, id: string): Promise<readonly RoutableAccount[] | null> {
  const known = read.get(source) ?? new Map<string, Promise<readonly RoutableAccount[] | null>>();
  read.set(source, known);
  return keptOnce(known, `${merchantId}/${id}`, () => findSnapshot(source, merchantId, id));
}

async function findSnapshot(
  { prisma }: SnapshotSource,
  merchantId: string,
  id: string,
): Promise<readonly RoutableAccount[] | null> {
  const row = await prisma.accountSnapshot.findUnique({ where: { merchantId_id: { merchantId, id } } });
  return row === null ? null : readAccounts(row.accounts);
}

/** The documented `routing` record and the inputs of a payment's decision. */
export function readDecision({ packedDecision }: { readonly packedDecision: Uint8Array }): {
  readonly routing: unknown;
  readonly inputs: unknown;
} {
  const { routing, inputs } = unpackDecision(packedDecision);
  return { routing: JSON.parse(routing), inputs: JSON.parse(inputs) };
}
