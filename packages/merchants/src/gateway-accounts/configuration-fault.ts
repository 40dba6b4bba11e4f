import type { ConfigurationFault as ConfigurationFaultKind, GatewayAccount } from '@switchyard/db/client';
import type { ConfigurationFault } from '@switchyard/routing';

/** A gateway's refusal of an account's credentials or settings, as stored. */
export interface StoredConfigurationFault {
  readonly kind: ConfigurationFaultKind;
  /** The gateway's error message, redacted. */
  readonly message: string;
  readonly at: Date;
}

/** The configuration fault of an account's row; null while its gateway accepts its configuration. */
export function configurationFaultOf(
  account: Pick<GatewayAccount, 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'>,
): StoredConfigurationFault | null {
  const { configurationFault: kind, configurationFaultMessage: message, configurationFaultAt: at } = account;
  return kind === null || at === null ? null : { kind, message: message ?? '', at };
}

const MESSAGE_MAX = 200;

/** An account's configuration fault in routing's form; null while its gateway accepts its configuration. */
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
