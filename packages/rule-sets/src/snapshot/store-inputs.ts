import { createHash } from 'node:crypto';
import { type Database, toPrismaJson } from '@switchyard/db';
import type { DecisionInputs, KeptInputs, RoutableAccount } from '@switchyard/routing';
import { keepInputs } from '@switchyard/routing/decide';

/*
 * Accounts as decisions were taken from them: kept once, by their content, and named by every payment that was routed among them. They
 * are never changed, and hold nothing of a customer; a merchant has as many as it had states of its accounts.
 */

/** Most values kept under names; beyond it, all are made again. */
const KEPT_MAX = 10_000;

const ids = new WeakMap<readonly RoutableAccount[], string>();
const stored = new WeakMap<Database, Map<string, Promise<unknown>>>();

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

/** The id of accounts: a UUID of version 8 (RFC 9562, section 5.8) from the SHA-256 of their JSON. */
export function snapshotId(accounts: readonly RoutableAccount[]): string {
  const known = ids.get(accounts);
  if (known !== undefined) return known;
  const hex = createHash('sha256').update(JSON.stringify(accounts)).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  ids.set(accounts, id);
  return id;
}

/** The value known under a name, else what `make` makes, once for all concurrent callers. One that failed or is null is made again. */
export function keptOnce<Value>(known: Map<string, Promise<Value>>, name: string, make: () => Promise<Value>): Promise<Value> {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= KEPT_MAX) known.clear();
  const made = make();
  known.set(name, made);
  void made.then(
    (value) => value ?? known.delete(name),
    () => known.delete(name),
  );
  return made;
}
