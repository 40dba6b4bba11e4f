import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { registerAccount } from './control/commands.ts';
import { controlHandler } from './control/server.ts';
import { FaultSwitches } from './faults/faults.ts';
import { DiskJournal, readEntries } from './ledger/disk.ts';
import { Ledger } from './ledger/ledger.ts';
import type { Account, Hook } from './ledger/records.ts';
import { type SandboxOptions, type SandboxSettings, settingsFrom } from './options.ts';
import { scheduleRefund } from './refunds.ts';
import { Connections, gatewayHandler } from './server/gateway-server.ts';
import { Listener } from './server/listener.ts';
import { settleDue } from './settlements.ts';
import { AccessTokens, type GatewaySpec, type Simulator } from './simulator.ts';
import {
  type GatewayName,
  gatewayNames,
  isGatewayName,
  ofEachGateway,
  type Registration,
  type SimulatorServer,
  type SimulatorServers,
  simulators,
} from './simulators.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

/** A running sandbox with every simulator. */
export interface Sandbox {
  readonly controlUrl: string;
  /** The address of each simulator, without a trailing slash. */
  readonly gateways: Readonly<Record<GatewayName, string>>;
  /** Base address of an account at each gateway. */
  readonly baseUrls: Readonly<Record<GatewayName, string>>;
  close(): Promise<void>;
}

/**
 * Starts the simulators and their control server on one port, each simulator under its name. Port 0 takes any free port.
 * Throws PortUnavailable, with nothing left running, when a port cannot be had.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const listener = new Listener('sandbox', settings.host, settings.port, (request, response) => answer(request, response));
  const servers = ofEachGateway((name) => openSimulatorServer(settings, name, listener));
  const answer = sandboxHandler(servers, controlHandler(servers, settings.now));
  const close = async (): Promise<void> => {
    await listener.close();
    for (const name of gatewayNames) await servers[name].close();
  };
  try {
    await listener.open();
    for (const name of gatewayNames) await servers[name].comeUp();
  } catch (error) {
    await close();
    throw error;
  }
  const addressOf = (name: GatewayName): string => servers[name].simulator.address();
  return {
    controlUrl: listener.url,
    gateways: ofEachGateway(addressOf),
    baseUrls: ofEachGateway((name) => addressOf(name) + simulators[name].apiPath),
    close,
  };
}

const SETTLE_MS = 60_000;

function settleAll(simulator: Simulator): void {
  for (const account of simulator.ledger.accounts()) settleDue(simulator, account);
}

function openSimulatorServer(settings: SandboxSettings, name: GatewayName, common: Listener): SimulatorServer {
  const spec: GatewaySpec = simulators[name];
  const path = settings.stateDir === undefined ? null : join(settings.stateDir, `${spec.name}.jsonl`);
  let disk: DiskJournal | null = null;
  const ledger = new Ledger(settings.limits, settings.now(), (entry) => disk?.append(entry));
  if (path !== null) {
    for (const entry of readEntries(path)) ledger.restore(entry);
    disk = new DiskJournal(path, () => ledger.entries());
  }
  const timers = new Set<NodeJS.Timeout>();
  const dispatcher = openDispatcher(settings, spec, ledger);
  const simulator: Simulator = {
    spec,
    ledger,
    faults: new FaultSwitches(),
    dispatcher,
    tokens: new AccessTokens(settings.now),
    webhookDelayMs: settings.webhookDelayMs,
    refundDelayMs: settings.refundDelayMs,
    timing: settings.timing,
    now: settings.now,
    address: () => `${(own ?? common).url}/${spec.name}`,
    later: (delayMs, task) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        task();
      }, delayMs);
      timers.add(timer);
    },
  };
  const connections = new Connections(gatewayHandler(simulator));
  const own = settings.separatePorts
    ? new Listener(`${spec.title} simulator`, settings.host, 0, (request, response) => {
        const { target } = splitTarget(request.url ?? '/');
        connections.answer(target, request, response);
      })
    : null;
  // Settlements that are announced have to be made without being asked for.
  const settling = spec.settlementEvent === undefined ? undefined : setInterval(() => settleAll(simulator), SETTLE_MS);
  settling?.unref();
  const register = registrar(ledger, spec);
  resume(simulator);
  const server: SimulatorServer = {
    simulator,
    answer: (target, request, response) => connections.answer(target, request, response),
    goDown: async () => {
      connections.cut();
      await own?.close();
    },
    comeUp: async () => {
      connections.restore();
      await own?.open();
    },
    register,
    forget: () => {
      // Pending webhooks are dropped with their payments: their timers find them suppressed.
      for (const hook of ledger.hooks()) if (hook.state === 'pending') hook.state = 'suppressed';
      ledger.clear();
      disk?.clear();
    },
    close: async () => {
      dispatcher.close();
      clearInterval(settling);
      for (const timer of timers) clearTimeout(timer);
      await own?.close();
      disk?.close();
      disk = null;
    },
  };
  const demo = registerAccount(server, { ...spec.credentialsFor('demo'), ...settings.accounts[name] });
  if (demo.kind === 'invalid') throw new Error(`the account at ${spec.title} is wrong: ${demo.errors.join('; ')}`);
  return server;
}

function openDispatcher(settings: SandboxSettings, spec: GatewaySpec, ledger: Ledger): Dispatcher {
  return new Dispatcher({
    retryMs: settings.webhookRetryMs,
    timeoutMs: settings.webhookTimeoutMs,
    now: settings.now,
    sign: (hook: Hook) => {
      const account = ledger.account(hook.accountId);
      return account === null ? {} : spec.sign(account, hook);
    },
    onChange: (hook) => {
      if (ledger.hook(hook.id) !== null) ledger.put({ kind: 'hook', record: hook });
    },
  });
}

function registrar(ledger: Ledger, { keyField }: GatewaySpec): SimulatorServer['register'] {
  return ({ credentials, webhookUrl, refundWebhooks }) => {
    const key = credentials[keyField] ?? '';
    const known = ledger.accountByKey(key);
    const count = ledger.accounts().length + 1;
    const record: Account = {
      id: known?.id ?? `account-${count}`,
      number: known?.number ?? 100_000 + count,
      key,
      credentials: withChanges(known?.credentials ?? {}, credentials),
      webhookUrl: webhookUrl === undefined ? (known?.webhookUrl ?? null) : webhookUrl,
      refundWebhooks: refundWebhooks ?? known?.refundWebhooks ?? false,
    };
    ledger.put({ kind: 'account', record });
    return record;
  };
}

/** The known credentials with those that are registered now; null takes one away. */
function withChanges(known: Account['credentials'], changes: Registration['credentials']): Account['credentials'] {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = Object.entries<string | null | undefined>({ ...known, ...Object.fromEntries(changed) });
  return Object.fromEntries(merged.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** Resumes what a stopped sandbox left open: webhooks to send, refunds to end. */
function resume(simulator: Simulator): void {
  for (const hook of simulator.ledger.hooks()) {
    if (hook.state === 'pending') void simulator.dispatcher.send(hook, simulator.webhookDelayMs);
  }
  for (const refund of simulator.ledger.refunds()) {
    if (refund.status === 'pending' || refund.status === 'processing') scheduleRefund(simulator, refund);
  }
}

export { commonFaults, type FaultKind, faultKindNames, faultKinds } from './faults/faults.ts';
export type { SandboxOptions } from './options.ts';
export { PortUnavailable } from './server/listener.ts';
export type { GatewaySpec, RefundEnd, TestCard, Timing } from './simulator.ts';
export { type GatewayName, gatewayNames, isGatewayName, ofEachGateway, simulators } from './simulators.ts';

/** Hands a request whose path begins with a gateway's name to that simulator, and every other one to the control server. */
function sandboxHandler(servers: SimulatorServers, control: RequestListener): RequestListener {
  return (request, response) => {
    const { name, target } = splitTarget(request.url ?? '/');
    if (isGatewayName(name)) servers[name].answer(target, request, response);
    else control(request, response);
  };
}

/** Splits `/paystack/transaction?page=2` into the name and what the gateway itself would have been sent. */
export function splitTarget(target: string): { name: string; target: string } {
  const [, name = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(target) ?? [];
  return { name, target: rest.startsWith('/') ? rest : `/${rest}` };
}
