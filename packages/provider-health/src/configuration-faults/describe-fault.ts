import type { GatewayAccount } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import { readConfigurationFault } from '@switchyard/merchants/configuration-fault';
import type { ConfigurationFault } from '@switchyard/routing';
import { describeConfigurationFault } from '@switchyard/routing/decide';

type Account = Pick<GatewayAccount, 'gateway' | 'configurationFault' | 'configurationFaultMessage' | 'configurationFaultAt'>;

/** Why an account is out of rotation, for the dashboard. */
export interface ConfigurationFaultDescription {
  readonly kind: ConfigurationFault['kind'];
  readonly since: Date;
  /** The fault and its correction: `Paystack refuses its credentials; replace them, or test the connection.` */
  readonly sentence: string;
  /** Message that the gateway answered with. */
  readonly message: string;
}

/** Null while the gateway accepts the account's configuration. */
export function describeFault(account: Account): ConfigurationFaultDescription | null {
  const fault = readConfigurationFault(account);
  if (fault === null) return null;
  const sentence = `${describeConfigurationFault(fault, gatewayTitle(account.gateway))}.`;
  return { kind: fault.kind, since: new Date(fault.since), sentence, message: fault.message };
}
