import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

const SECRETS = ['encryption_keys', 'key_pepper'] as const;

/** State of a process's own secrets. */
export type SecretsReading = () => {
  readonly wrong: readonly (typeof SECRETS)[number][];
  readonly unreadableAccounts: number;
};

/** Reports whether the secrets of this process are those that the stored data was made with. */
export function reportSecrets(registry: MetricsRegistry, read: SecretsReading): void {
  const registers = [registry];
  new Gauge({
    name: 'switchyard_secret_wrong',
    help: '1 while a secret of this process is not the one that the stored data was made with, otherwise 0.',
    labelNames: ['secret'],
    registers,
    collect() {
      const { wrong } = read();
      for (const secret of SECRETS) this.set({ secret }, wrong.includes(secret) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'switchyard_gateway_accounts_unreadable',
    help: 'Enabled gateway accounts whose stored credentials this process cannot use.',
    registers,
    collect() {
      this.set(read().unreadableAccounts);
    },
  });
}
