import type { ConfigurationFault as ConfigurationFaultKind, GatewayAccount } from '@switchyard/db/client';
import type { ConfigurationFault } from '@switchyard/routing';

/** What a gateway refuses of an account as it is configured. */
export interface StoredConfigurationFault {
  readonly kind: ConfigurationFaultKind;
  /** The gateway's own words, redacted. */
  readonly message: string;
  readonly at: Date;
}

/** The fault an account was read with; null while nothing is known against its configuration. */
export function configurationFaultOf(
  account: Pick<GatewayAccount, 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'>,
): StoredConfigurationFault | null {
  const { configurationFault: kind, configurationFaultMessage: message, configurationFaultAt: at } = account;
  return kind === null || at === null ? null : { kind, message: message ?? '', at };
}

const MESSAGE_MAX = 200;

/** What is known against an account's configuration, as routing takes it; null while nothing is. */
export function readConfigurationFault(
  account: Pick<GatewayAccount, 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'>,
): ConfigurationFault | null {
  const stored = configurationFaultOf(account);
  if (stored === null) return null;
  const message = stored.message.slice(0, MESSAGE_MAX).toWellFormed();
  const since = stored.at.toISOString();
  switch (stored.kind) {
    case 'CREDENTIALS':
      return { kind: 'credentials', message, since };
    case 'SETTINGS':
      return { kind: 'settings', message, since };
    default:
      return stored.kind satisfies never;
  }
}
