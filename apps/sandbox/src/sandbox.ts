import { join } from 'node:path';
import { controlHandler } from './control/server.ts';
import { Switchboard } from './faults/fault-switches.ts';
import { flutterwave } from './flutterwave/flutterwave.ts';
import { Books } from './ledger/books.ts';
import { DiskJournal, readEntries } from './ledger/disk.ts';
import { type Account, type GatewayName, gatewayNames, type Hook } from './ledger/records.ts';
import { type SandboxOptions, type SandboxSettings, settingsFrom } from './options.ts';
import { paystack } from './paystack/paystack.ts';
import { scheduleRefund } from './refunds.ts';
import { gatewayHandler } from './server/gateway-server.ts';
import { Listener } from './server/listener.ts';
import type { Desk, GatewaySpec } from './simulator.ts';
import type { Registration, Station, Stations } from './station.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';

export interface Sandbox {
  readonly controlUrl: string;
  /** The base address of each gateway, without a trailing slash. */
  readonly gateways: Readonly<Record<GatewayName, string>>;
  close(): Promise<void>;
}

/**
 * Starts the stand-ins and their control server. Port 0 takes any free port.
 * Throws PortUnavailable, with nothing left running, when a port cannot be had.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsFrom(options);
  const stations: Stations = {
    paystack: openStation(settings, paystack),
    flutterwave: openStation(settings, flutterwave),
  };
  const control = new Listener('sandbox control server', settings.host, settings.port, controlHandler(stations));
  const listeners = [...gatewayNames.map((name) => stations[name].listener), control];
  const close = async (): Promise<void> => {
    await control.close();
    await Promise.all(gatewayNames.map((name) => stations[name].close()));
  };
  try {
    for (const listener of listeners) await listener.open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    controlUrl: control.url,
    gateways: { paystack: stations.paystack.listener.url, flutterwave: stations.flutterwave.listener.url },
    close,
  };
}

function openStation(settings: SandboxSettings, spec: GatewaySpec): Station {
  const path = settings.stateDir === undefined ? null : join(settings.stateDir, `${spec.name}.jsonl`);
  let disk: DiskJournal | null = null;
  const books = new Books(settings.limits, settings.now(), (entry) => disk?.append(entry));
  if (path !== null) {
    for (const entry of readEntries(path)) books.restore(entry);
    disk = new DiskJournal(path, () => books.entries());
  }
  const timers = new Set<NodeJS.Timeout>();
  const courier = openDispatcher(settings, spec, books);
  const desk: Desk = {
    spec,
    books,
    faults: new Switchboard(),
    courier,
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
  const listener = new Listener(`${spec.title} stand-in`, settings.host, settings.ports[spec.name], gatewayHandler(desk));
  const register = registrar(books);
  register(demoRegistration(settings, spec.name));
  resume(desk);
  return {
    desk,
    listener,
    register,
    forget: () => {
      // Webhooks still waiting belong to what is forgotten: their timers find them switched off.
      for (const hook of books.hooks()) if (hook.state === 'pending') hook.state = 'suppressed';
      books.clear();
      disk?.clear();
    },
    close: async () => {
      courier.close();
      for (const timer of timers) clearTimeout(timer);
      await listener.close();
      disk?.close();
      disk = null;
    },
  };
}

function openDispatcher(settings: SandboxSettings, spec: GatewaySpec, books: Books): Dispatcher {
  return new Dispatcher({
    retryMs: settings.webhookRetryMs,
    timeoutMs: settings.webhookTimeoutMs,
    now: settings.now,
    sign: (hook: Hook) => {
      const account = books.account(hook.accountId);
      return account === null ? {} : spec.sign(account, hook);
    },
    onChange: (hook) => {
      if (books.hook(hook.id) !== null) books.put({ kind: 'hook', record: hook });
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

function registrar(books: Books): Station['register'] {
  return (registration) => {
    const known = books.accountByKey(registration.secretKey);
    const count = books.accounts().length + 1;
    const record: Account = {
      id: known?.id ?? `account-${count}`,
      number: known?.number ?? 100_000 + count,
      secretKey: registration.secretKey,
      webhookUrl: registration.webhookUrl === undefined ? (known?.webhookUrl ?? null) : registration.webhookUrl,
      webhookSecretHash:
        registration.webhookSecretHash === undefined ? (known?.webhookSecretHash ?? null) : registration.webhookSecretHash,
      refundWebhooks: registration.refundWebhooks ?? known?.refundWebhooks ?? false,
    };
    books.put({ kind: 'account', record });
    return record;
  };
}

/** Takes up what a stopped sandbox left half-done: webhooks still to be sent, refunds still on their way. */
function resume(desk: Desk): void {
  for (const hook of desk.books.hooks()) {
    if (hook.state === 'pending') void desk.courier.send(hook, desk.webhookDelayMs);
  }
  for (const refund of desk.books.refunds()) {
    if (refund.status === 'pending' || refund.status === 'processing') scheduleRefund(desk, refund);
  }
}
