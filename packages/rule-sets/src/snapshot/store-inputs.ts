import { createHash } from 'node:crypto';
import { createTextPacker, type Database, type JsonWritable, toPrismaJson } from '@switchyard/db';
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
    const data = { merchantId, id, accounts: toPrismaJson(accounts) };
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

/** Decisions as routing records them, and their inputs. */
export const DICTIONARY_1 = [
  String.raw`{"code":"override_drain","title":"Drained","message":" is drained: ","category":"override","severity":"warning"},{"code":"account_degraded","title":"Account degraded","message":"","category":"health","severity":"warning"},{"code":"account_down","title":"Account down","message":" payments failed over ","category":"health","severity":"warning"},{"code":"no_rule_matched","title":"No rule matched","message":"no enabled rule","category":"rule","severity":"info"},{"code":"gateway_failed_","title":"","message":"","category":"fallback","severity":"warning"},{"code":"no_method","title":"No method given","message":"","category":"rule","severity":"info"}`,
  String.raw`"eligible":false,"ineligibleReason":"method_not_supported"},"ineligibleReason":"disabled"},"rationaleCode":"requested_gateway","rationaleCode":"default_provider_order","provider":"monnify","provider":"squad","provider":"kora","provider":"interswitch"`,
  String.raw`[1,"CARD","healthy",{"code":"healthy","gateway":"Flutterwave","method":"CARD","succeeded":,"samples":,"spanMs":300000},"2026-",0,0,0,0,null]`,
  String.raw`{"version":1,"decidedAt":"2026-","rationale":"paystack-main takes NGN .00 CARD from NG under rule \"Cards from 5,001 to 50,000\" (NGN 0 to NGN 5,000).","rationaleCode":"smart_routing_rule","contextKey":"NGN|CARD|0-5000","contextKey":"NGN|TRANSFER|0-*","overrides":[],"reasons":[{"code":"rule_matched","title":"Rule matched","message":"NGN .00 TRANSFER from NG matches rule \"Bank transfers\" (NGN 0 and more).","category":"rule","severity":"info"}],"candidates":[{"index":0,"eligible":true,"provider":"paystack","subproviderId":"","ineligibleReason":null},{"index":1,"eligible":true,"provider":"flutterwave","subproviderId":"","ineligibleReason":null}],"recommended":{"index":0,"provider":"paystack","subproviderId":""}}`,
  String.raw`{"policy":1,"overrides":[],"decidedAt":"2026-","accounts":"","health":[[0,null,"healthy",{"code":"unused"},"2026-",0,0,0,0,null],[0,null,"healthy",{"code":"healthy","gateway":"Paystack","method":null,"succeeded":,"samples":,"spanMs":300000},"2026-",0,0,0,0,null],[0,null,"healthy",{"code":"not_enough_data","gateway":"Paystack","method":null,"faulted":0,"samples":0,"lookupsAnswered":0,"lookupsFailed":0,"spanMs":300000},"2026-",0,0,0,0,null],[1,null,"healthy",{"code":"not_enough_data","gateway":"Flutterwave","method":null,"faulted":0,"samples":0,"lookupsAnswered":0,"lookupsFailed":0,"spanMs":300000},"2026-",0,0,0,0,null]]}`,
].join('\n');

const DECISIONS = createTextPacker('a decision', [DICTIONARY_1]);

/** A decision as it is stored: two JSON texts, which have no line breaks of their own. */
export function packDecision(routing: JsonWritable, inputs: JsonWritable): Buffer<ArrayBuffer> {
  return DECISIONS.pack(`${JSON.stringify(routing)}\n${JSON.stringify(inputs)}`);
}

/** The JSON texts of a packed decision. */
export function unpackDecision(packed: Uint8Array): { readonly routing: string; readonly inputs: string } {
  const [routing = '', inputs = ''] = DECISIONS.unpack(packed).split('\n');
  return { routing, inputs };
}
