import { join } from 'node:path';
import { controlHandler } from './control/server.ts';
import { FaultSwitches } from './faults/fault-switches.ts';
import { flutterwave } from './flutterwave/flutterwave.ts';
import { DiskJournal, readEntries } from './ledger/disk.ts';
import { Ledger } from './ledger/ledger.ts';
import { type Account, type GatewayName, gatewayNames, type Hook } from './ledger/records.ts';
import { type SandboxOptions, type SandboxSettings, settingsFrom } from './options.ts';
import { paystack } from './paystack/paystack.ts';
import { scheduleRefund } from './refunds.ts';
import { gatewayHandler } from './server/gateway-server.ts';
import { Listener } from './server/listener.ts';
import type { GatewaySpec, Simulator } from './simulator.ts';
import type { Registration, SimulatorServer, SimulatorServers } from './simulator-server.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

export interface Sandbox {
  readonly controlUrl: string;
  /** The base address of each gateway, without a trailing slash. */
  readonly gateways: Readonly<Record<GatewayName, string>>;
  close(): Promise<void>;
}

/**
 * Starts the simulators and their control server. Port 0 takes any free port.
 * Throws PortUnavailable, with nothing left running, when a port cannot be had.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const servers: SimulatorServers = {
    paystack: openSimulatorServer(settings, paystack),
    flutterwave: openSimulatorServer(settings, flutterwave),
  };
  const control = new Listener('sandbox control server', settings.host, settings.port, controlHandler(servers));
  const listeners = [...gatewayNames.map((name) => servers[name].listener), control];
  const close = async (): Promise<void> => {
    await control.close();
    await Promise.all(gatewayNames.map((name) => servers[name].close()));
  };
  try {
    for (const listener of listeners) await listener.open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    controlUrl: control.url,
    gateways: { paystack: servers.paystack.listener.url, flutterwave: servers.flutterwave.listener.url },
    close,
  };
}

function openSimulatorServer(settings: SandboxSettings, spec: GatewaySpec): SimulatorServer {
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
    webhookDelayMs: settings.webhookDelayMs,
    refundDelayMs: settings.refundDelayMs,
    now: settings.now,
    baseUrl: () => listener.url,
    later: (delayMs, task) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        task();
      }, delayMs);
      timers.add(timer);
    },
  };
  const listener = new Listener(`${spec.title} simulator`, settings.host, settings.ports[spec.name], gatewayHandler(simulator));
  const register = registrar(ledger);
  register(demoRegistration(settings, spec.name));
  resume(simulator);
  return {
    simulator,
    listener,
    register,
    forget: () => {
      // Pending webhooks are dropped with their payments: their timers find them suppressed.
      for (const hook of ledger.hooks()) if (hook.state === 'pending') hook.state = 'suppressed';
      ledger.clear();
      disk?.clear();
    },
    close: async () => {
      dispatcher.close();
      for (const timer of timers) clearTimeout(timer);
      await listener.close();
      disk?.close();
      disk = null;
    },
  };
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

function demoRegistration(settings: SandboxSettings, name: GatewayName): Registration {
  switch (name) {
    case 'paystack':
      return settings.accounts.paystack;
    case 'flutterwave':
      return settings.accounts.flutterwave;
    default:
      return name satisfies never;
  }
}

function registrar(ledger: Ledger): SimulatorServer['register'] {
  return (registration) => {
    const known = ledger.accountByKey(registration.secretKey);
    const count = ledger.accounts().length + 1;
    const record: Account = {
      id: known?.id ?? `account-${count}`,
      number: known?.number ?? 100_000 + count,
      secretKey: registration.secretKey,
      webhookUrl: registration.webhookUrl === undefined ? (known?.webhookUrl ?? null) : registration.webhookUrl,
      webhookSecretHash:
        registration.webhookSecretHash === undefined ? (known?.webhookSecretHash ?? null) : registration.webhookSecretHash,
      refundWebhooks: registration.refundWebhooks ?? known?.refundWebhooks ?? false,
    };
    ledger.put({ kind: 'account', record });
    return record;
  };
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
