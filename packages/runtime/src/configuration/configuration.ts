import type { Database } from '@switchyard/db';
import { type ChangeHints, isUuid, NIL_ID } from '@switchyard/db';
import type {
  ApiKey,
  GatewayAccount,
  HealthThresholdSet,
  Merchant,
  Mode,
  RoutingOverride,
  RuleCanary,
  RuleSetVersion,
} from '@switchyard/db/client';
import { listenForHints } from '@switchyard/db/process';
import type { EffectiveRate, SuccessRate } from '@switchyard/routing';
import { type FeeContract, toContracts, toRates, toSuccessRates } from './fee-contracts.ts';

/** A canary that has not ended, with the version that it tries. */
export interface LoadedCanary extends Pick<RuleCanary, 'id' | 'mode' | 'salt' | 'percent'> {
  readonly ruleSet: RuleSetVersion;
}

/** A merchant's configuration as a payment needs it, as one immutable snapshot. */
export interface MerchantConfiguration {
  readonly revision: number;
  readonly merchant: Merchant;
  readonly keys: readonly ApiKey[];
  readonly accounts: readonly GatewayAccount[];
  /** Contracts of the accounts, by account and the earliest first. */
  readonly feeContracts: readonly FeeContract[];
  /** Recent charges by account. */
  readonly effectiveRates: ReadonlyMap<string, readonly EffectiveRate[]>;
  /** Finished payments of the last weeks by account; empty unless rules rank by expected value. */
  readonly successRates: ReadonlyMap<string, readonly SuccessRate[]>;
  /** The published version per mode; absent while a merchant has none. */
  readonly ruleSets: Readonly<Partial<Record<Mode, RuleSetVersion>>>;
  /** The version per mode that a share of customers is routed by; absent while none is. */
  readonly canaries: Readonly<Partial<Record<Mode, LoadedCanary>>>;
  /** Not ended when read; the caller checks expiry. */
  readonly overrides: readonly RoutingOverride[];
  /** Those of whole gateways, which concern all merchants. The same rows for everyone with an account at one of them, else empty. */
  readonly gatewayOverrides: readonly RoutingOverride[];
  /** Changes of the health thresholds per mode; absent where the defaults apply. */
  readonly healthThresholds: Readonly<Partial<Record<Mode, HealthThresholdSet>>>;
}

/**
 * Configuration in memory, so that no payment waits for it. It polls about once a second for merchants that changed. A `NOTIFY` is
 * a hint to read one merchant sooner; correctness does not depend on it. While the database is unavailable, the last snapshot serves.
 */
export interface Configuration {
  merchant(merchantId: string): MerchantConfiguration | undefined;
  /** Finds a key in memory; a key made elsewhere a moment ago is looked up once. */
  findKey(publicId: string): Promise<{ key: ApiKey; merchant: MerchantConfiguration } | undefined>;
  account(accountId: string): { account: GatewayAccount; merchant: MerchantConfiguration } | undefined;
  /** All merchants: the same array until any of them is reloaded. */
  merchants(): readonly MerchantConfiguration[];
  /** Resolves once a first snapshot has been read; each call retries until then. */
  ready(): Promise<void>;
  /** When the snapshot was last known to be current; null before the first read. */
  readAt(): Date | null;
  /** Reads all that was committed before the call. Calls share a read that has not begun. */
  refresh(): Promise<void>;
  /** Reads what was committed of one merchant before the call. */
  read(merchantId: string): Promise<void>;
  close(): void;
}

/** How the configuration in memory follows the database. */
export interface ConfigurationOptions {
  readonly onError: (error: unknown) => void;
  /** Called with each configuration that was read, the first ones and those that changed. */
  readonly onLoaded?: (configuration: MerchantConfiguration) => void;
  readonly pollMs?: number;
  /** `listen` (the default): on a connection of its own. `none`: polling only, for a pooler that does not forward `NOTIFY`. */
  readonly hints?: 'listen' | 'none';
}

const POLL_MS = 1_000;
/** Above so many merchants to read, one query for all is cheaper. */
const WANTED_MAX = 50;
const ALL_MERCHANTS = '*';
const MISSING_KEYS_MAX = 10_000;
const MISSING_KEY_MS = 1_000;
const MERCHANTS_MAX = 100_000;
/** Merchants that are read together: each may have a rule set of megabytes. */
const MERCHANTS_AT_ONCE = 25;
/** Rows of a kind, for each merchant. */
const ROWS_MAX = 1_000;

/** Starts polling and listening. Errors of both go to `onError`; {@link Configuration.close} stops them. */
export function openConfiguration(database: Database, options: ConfigurationOptions): Configuration {
  const snapshot = createSnapshot();
  const reader = createReader(database, snapshot, options.onLoaded);
  const missing = new Map<string, number>();
  const timer = setInterval(() => reader.refresh().catch(options.onError), options.pollMs ?? POLL_MS);
  timer.unref();
  const onHint = (merchantId: string | null) => {
    // Before the first read there is nothing that could be out of date.
    if (reader.readAt() !== null) reader.read(merchantId ?? ALL_MERCHANTS).catch(options.onError);
  };
  const hints = options.hints === 'none' ? null : openHints(database, onHint, options.onError);

  return {
    merchant: (merchantId) => snapshot.byMerchant.get(merchantId),
    account: (accountId) => snapshot.byAccount.get(accountId),
    merchants: snapshot.all,
    async findKey(publicId) {
      const known = snapshot.byKey.get(publicId);
      if (known !== undefined) return known;
      const asked = performance.now();
      if ((missing.get(publicId) ?? 0) > asked) return undefined;
      await reader.refresh();
      if (missing.size >= MISSING_KEYS_MAX) missing.clear();
      if (!snapshot.byKey.has(publicId)) missing.set(publicId, performance.now() + MISSING_KEY_MS);
      return snapshot.byKey.get(publicId);
    },
    ready: () => (reader.readAt() === null ? reader.refresh() : Promise.resolve()),
    readAt: reader.readAt,
    refresh: reader.refresh,
    read: (merchantId) => (reader.readAt() === null ? reader.refresh() : reader.read(merchantId)),
    close() {
      clearInterval(timer);
      hints?.close();
    },
  };
}

/** Loads a committed change into this process's memory. Errors are left to the poll, because the change itself is committed. */
export async function readRevision(configuration: Configuration, merchantId: string, revision: number): Promise<void> {
  if ((configuration.merchant(merchantId)?.revision ?? 0) >= revision) return;
  await configuration.read(merchantId).catch(() => undefined);
}

interface Snapshot {
  readonly byMerchant: Map<string, MerchantConfiguration>;
  readonly byKey: Map<string, { key: ApiKey; merchant: MerchantConfiguration }>;
  readonly byAccount: Map<string, { account: GatewayAccount; merchant: MerchantConfiguration }>;
  all(): readonly MerchantConfiguration[];
  /** Sum of the revisions of all, the workspace's included. */
  revisions(): number;
  revisionOf(merchantId: string): number | undefined;
  set(configuration: Omit<MerchantConfiguration, 'gatewayOverrides'>): MerchantConfiguration;
  /** Sets what concerns all merchants, and returns the configurations that it changes. */
  setWorkspace(revision: number, overrides: readonly RoutingOverride[]): readonly MerchantConfiguration[];
}

function createSnapshot(): Snapshot {
  const byMerchant: Snapshot['byMerchant'] = new Map();
  const byKey: Snapshot['byKey'] = new Map();
  const byAccount: Snapshot['byAccount'] = new Map();
  let all: readonly MerchantConfiguration[] | null = null;
  let revisions = 0;
  let workspaceRevision: number | undefined;
  let gatewayOverrides: readonly RoutingOverride[] = [];

  function set(configuration: MerchantConfiguration): MerchantConfiguration {
    all = null;
    const previous = byMerchant.get(configuration.merchant.id);
    revisions += configuration.revision - (previous?.revision ?? 0);
    for (const key of previous?.keys ?? []) byKey.delete(key.publicId);
    for (const account of previous?.accounts ?? []) byAccount.delete(account.id);
    byMerchant.set(configuration.merchant.id, configuration);
    for (const key of configuration.keys) byKey.set(key.publicId, { key, merchant: configuration });
    for (const account of configuration.accounts) byAccount.set(account.id, { account, merchant: configuration });
    return configuration;
  }

  return {
    byMerchant,
    byKey,
    byAccount,
    all() {
      all ??= [...byMerchant.values()];
      return all;
    },
    revisions: () => revisions,
    revisionOf: (merchantId) => (merchantId === NIL_ID ? workspaceRevision : byMerchant.get(merchantId)?.revision),
    set: (configuration) => set({ ...configuration, gatewayOverrides: overridesFor(configuration, gatewayOverrides) }),
    setWorkspace(revision, overrides) {
      revisions += revision - (workspaceRevision ?? 0);
      workspaceRevision = revision;
      gatewayOverrides = overrides;
      const changed = [...byMerchant.values()].filter((configuration) => {
        return configuration.gatewayOverrides.length > 0 || overridesFor(configuration, overrides).length > 0;
      });
      return changed.map((configuration) => set({ ...configuration, gatewayOverrides: overridesFor(configuration, overrides) }));
    },
  };
}

const NO_OVERRIDES: readonly RoutingOverride[] = [];

function overridesFor(
  { accounts }: Pick<MerchantConfiguration, 'accounts'>,
  overrides: readonly RoutingOverride[],
): readonly RoutingOverride[] {
  const isConcerned = overrides.some(({ gateway, mode }) => accounts.some((one) => one.gateway === gateway && one.mode === mode));
  return isConcerned ? overrides : NO_OVERRIDES;
}

interface Reader {
  refresh(): Promise<void>;
  /** Reads a merchant, or all of them for {@link ALL_MERCHANTS}. Calls share a read that has not begun. */
  read(merchantId: string): Promise<void>;
  readAt(): Date | null;
}

function createReader(database: Database, snapshot: Snapshot, onLoaded: ConfigurationOptions['onLoaded']): Reader {
  const wanted = new Set<string>();
  let waiting: Promise<void> | undefined;
  let waitingForWanted: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let readAt: Date | null = null;

  /** Runs reads one after the other: of two concurrent ones, the older snapshot could be stored last. */
  function afterOthers(read: () => Promise<void>): Promise<void> {
    const next = last.then(read);
    last = next.catch(() => undefined);
    return next;
  }

  /** Revisions only rise, so that sums are equal only when nothing has changed: most reads end with one number. */
  async function readAll(): Promise<void> {
    const asked = new Date();
    const [all] = await database.prisma.$queryRaw<{ revisions: number }[]>`
      SELECT coalesce(sum(revision), 0)::float8 AS revisions FROM configuration_revision`;
    if (all?.revisions !== snapshot.revisions()) {
      const rows = await database.prisma.configurationRevision.findMany({ take: MERCHANTS_MAX });
      await reloadChanged(database, snapshot, onLoaded, rows);
    }
    readAt = asked;
  }

  async function readWanted(): Promise<void> {
    const merchantIds = [...wanted];
    wanted.clear();
    if (merchantIds.includes(ALL_MERCHANTS) || merchantIds.length > WANTED_MAX) return readAll();
    const where = { merchantId: { in: merchantIds } };
    await reloadChanged(database, snapshot, onLoaded, await database.prisma.configurationRevision.findMany({ where }));
  }

  return {
    // A read that has begun may miss what was committed since.
    refresh() {
      waiting ??= afterOthers(() => {
        waiting = undefined;
        return readAll();
      });
      return waiting;
    },
    async read(merchantId) {
      if (merchantId !== ALL_MERCHANTS && !isUuid(merchantId)) return;
      wanted.add(merchantId);
      waitingForWanted ??= afterOthers(() => {
        waitingForWanted = undefined;
        return readWanted();
      });
      await waitingForWanted;
    },
    readAt: () => readAt,
  };
}

async function reloadChanged(
  database: Database,
  snapshot: Snapshot,
  onLoaded: ConfigurationOptions['onLoaded'],
  revisions: readonly { merchantId: string; revision: number }[],
): Promise<void> {
  const moved = revisions.filter((row) => snapshot.revisionOf(row.merchantId) !== row.revision);
  const changed = moved.filter(({ merchantId }) => merchantId !== NIL_ID);
  for (const { revision } of moved.filter(({ merchantId }) => merchantId === NIL_ID)) {
    for (const configuration of snapshot.setWorkspace(revision, await readGatewayOverrides(database))) onLoaded?.(configuration);
  }
  for (let at = 0; at < changed.length; at += MERCHANTS_AT_ONCE) {
    for (const configuration of await readMerchants(database, changed.slice(at, at + MERCHANTS_AT_ONCE))) {
      const loaded = snapshot.set(configuration);
      onLoaded?.(loaded);
    }
  }
}

function openHints(
  database: Database,
  onHint: (merchantId: string | null) => void,
  onError: ConfigurationOptions['onError'],
): ChangeHints | null {
  const url = database.pool.options.connectionString;
  return url === undefined ? null : listenForHints({ url, channel: 'configuration', onHint, onError });
}

/** Overrides of whole gateways that have not ended. */
function readGatewayOverrides({ prisma }: Database): Promise<RoutingOverride[]> {
  return prisma.routingOverride.findMany({
    where: { merchantId: NIL_ID, endedAt: null },
    orderBy: { id: 'asc' },
    take: ROWS_MAX,
  });
}

async function readMerchants(
  { prisma }: Database,
  revisions: readonly { merchantId: string; revision: number }[],
): Promise<readonly Omit<MerchantConfiguration, 'gatewayOverrides'>[]> {
  const merchantId = { in: revisions.map((row) => row.merchantId) };
  const take = ROWS_MAX * revisions.length;
  const now = new Date();
  const [merchants, keys, accounts, contracts, rates, successes, routed, canaries, overrides, thresholdSets] = await Promise.all([
    prisma.merchant.findMany({ where: { id: merchantId }, take }),
    prisma.apiKey.findMany({
      where: { merchantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      take,
    }),
    prisma.gatewayAccount.findMany({ where: { merchantId }, orderBy: { id: 'asc' }, take }),
    prisma.feeContract.findMany({ where: { merchantId }, orderBy: { id: 'asc' }, take: 10 * take }),
    prisma.effectiveRate.findMany({
      where: { merchantId },
      orderBy: [{ accountId: 'asc' }, { currency: 'asc' }, { method: 'asc' }, { amountFrom: 'asc' }],
      take: 10 * take,
    }),
    prisma.successRate.findMany({
      where: { merchantId },
      orderBy: [{ accountId: 'asc' }, { currency: 'asc' }, { method: 'asc' }, { amountFrom: 'asc' }],
      take: 10 * take,
    }),
    prisma.ruleSetVersion.findMany({ where: { merchantId, state: { in: ['PUBLISHED', 'CANARY'] } }, take }),
    prisma.ruleCanary.findMany({ where: { merchantId, endedAt: null }, omit: { sums: true }, take }),
    prisma.routingOverride.findMany({ where: { merchantId, endedAt: null }, orderBy: { id: 'asc' }, take }),
    prisma.healthThresholdSet.findMany({ where: { merchantId }, take }),
  ]);
  const revisionOf = new Map(revisions.map((row) => [row.merchantId, row.revision]));
  const [keysOf, accountsOf, overridesOf] = [byMerchant(keys), byMerchant(accounts), byMerchant(overrides)];
  const [contractsOf, ratesOf, successesOf] = [byMerchant(contracts), byMerchant(rates), byMerchant(successes)];
  const [routedOf, canariesOf, thresholdSetsOf] = [byMerchant(routed), byMerchant(canaries), byMerchant(thresholdSets)];
  return merchants.map((merchant) => ({
    revision: revisionOf.get(merchant.id) ?? 0,
    merchant,
    keys: keysOf.get(merchant.id) ?? [],
    accounts: accountsOf.get(merchant.id) ?? [],
    feeContracts: toContracts(contractsOf.get(merchant.id) ?? []),
    effectiveRates: toRates(ratesOf.get(merchant.id) ?? []),
    successRates: toSuccessRates(successesOf.get(merchant.id) ?? []),
    ruleSets: byMode(routedOf.get(merchant.id)?.filter(({ state }) => state === 'PUBLISHED')),
    canaries: byMode(toCanaries(canariesOf.get(merchant.id) ?? [], routedOf.get(merchant.id) ?? [])),
    overrides: overridesOf.get(merchant.id) ?? [],
    healthThresholds: byMode(thresholdSetsOf.get(merchant.id)),
  }));
}

function byMerchant<Row extends { readonly merchantId: string }>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, (row) => row.merchantId);
}

function toCanaries(canaries: readonly Omit<RuleCanary, 'sums'>[], ruleSets: readonly RuleSetVersion[]): readonly LoadedCanary[] {
  return canaries.flatMap(({ id, mode, salt, percent, ruleSetId }) => {
    const ruleSet = ruleSets.find((one) => one.id === ruleSetId && one.state === 'CANARY');
    return ruleSet === undefined ? [] : [{ id, mode, salt, percent, ruleSet }];
  });
}

function byMode<Row extends { readonly mode: Mode }>(rows: readonly Row[] = []): Readonly<Partial<Record<Mode, Row>>> {
  return Object.fromEntries(rows.map((row) => [row.mode, row]));
}
