import { createHash } from 'node:crypto';
import { type Database, toPrismaJson } from '@switchyard/db';
import type { DecisionInputs, RoutableAccount, RoutablePayment } from '@switchyard/routing';
import { accountsIdOf, type KeptInputs, keepInputs, readAccounts, readInputs } from '@switchyard/routing/stored-inputs';

export type { KeptInputs } from '@switchyard/routing/stored-inputs';

/*
 * Accounts as decisions were taken from them: kept once, by their content, and named by every payment that was routed among them. They
 * are never changed, and hold nothing of a customer; a merchant has as many as it had states of its accounts.
 */

/** Most snapshots that are known to be stored, or kept in memory after reading; beyond it, all are looked up again. */
const KNOWN_MAX = 10_000;

const ids = new WeakMap<readonly RoutableAccount[], string>();
const stored = new WeakMap<Database, Map<string, Promise<unknown>>>();
const read = new WeakMap<SnapshotSource, Map<string, Promise<readonly RoutableAccount[] | null>>>();

type SnapshotSource = Pick<Database, 'prisma'>;

/**
 * The part of a decision's inputs that its payment keeps. Stores the accounts first where they are new, so that no payment names accounts
 * that are not there.
 */
export async function storeInputs(database: Database, merchantId: string, inputs: DecisionInputs): Promise<KeptInputs> {
  return keepInputs(inputs, await storeAccounts(database, merchantId, inputs.accounts));
}

async function storeAccounts(database: Database, merchantId: string, accounts: readonly RoutableAccount[]): Promise<string> {
  const id = snapshotId(accounts);
  const known = stored.get(database) ?? new Map<string, Promise<unknown>>();
  stored.set(database, known);
  await keptOnce(known, `${merchantId}/${id}`, () => {
    const data = { merchantId, id, accounts: toPrismaJson(accounts), createdAt: new Date() };
    return database.prisma.accountSnapshot.createMany({ data, skipDuplicates: true });
  });
  return id;
}

/** What is known under a name, or what `make` makes of it, once for all concurrent callers. What failed or is null is made again. */
function keptOnce<Value>(known: Map<string, Promise<Value>>, name: string, make: () => Promise<Value>): Promise<Value> {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const made = make();
  known.set(name, made);
  void made.then(
    (value) => value ?? known.delete(name),
    () => known.delete(name),
  );
  return made;
}

/** The id of accounts: a UUID of version 8 (RFC 9562, section 5.8) from the SHA-256 of their JSON. */
export function snapshotId(accounts: readonly RoutableAccount[]): string {
  const known = ids.get(accounts);
  if (known !== undefined) return known;
  const hex = createHash('sha256').update(JSON.stringify(accounts)).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  ids.set(accounts, id);
  return id;
}

/** What a payment's row holds of its decision's inputs. */
export interface StoredInputs {
  readonly merchantId: string;
  /** As {@link storeInputs} made them, or as the first version stored them. */
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
