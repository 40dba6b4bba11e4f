import type { GatewayAccount } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import { configurationFaultOf } from '@switchyard/merchants/gateway-accounts';
import type { ConfigurationFault } from '@switchyard/routing';
import { describeConfigurationFault } from '@switchyard/routing/decide';

type Account = Pick<GatewayAccount, 'gateway' | 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'>;

const MESSAGE_MAX = 200;

/** What is known against an account's configuration, as routing takes it; null while nothing is. */
export function readConfigurationFault(account: Account): ConfigurationFault | null {
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

/** An account that is out of rotation for its configuration, for people. */
export interface ConfigurationFaultDescription {
  readonly kind: ConfigurationFault['kind'];
  readonly since: Date;
  /** What has to be mended: `Paystack refuses its credentials; replace them, or test the connection.` */
  readonly sentence: string;
  /** What the gateway answered. */
  readonly message: string;
}

/** Null while nothing is known against the account's configuration. */
export function describeFault(account: Account): ConfigurationFaultDescription | null {
  const fault = readConfigurationFault(account);
  if (fault === null) return null;
  const sentence = `${describeConfigurationFault(fault, gatewayTitle(account.gateway))}.`;
  return { kind: fault.kind, since: new Date(fault.since), sentence, message: fault.message };
}
