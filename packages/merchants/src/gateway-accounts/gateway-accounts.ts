import { type SealedRows, sealedColumn } from '@switchyard/db';
import { credentialBinding } from '@switchyard/runtime';

export { readContracts } from './fee-contracts/queries.ts';
export {
  clearConfigurationFault,
  findGatewayAccount,
  type ListedGatewayAccount,
  listGatewayAccountRows,
  recordConnectionTest,
  setConfigurationFault,
} from './queries.ts';

/**
 * Credentials of gateway accounts. The configuration's revision stays: what processes have in memory was sealed with a key that they
 * have as well.
 */
export const sealedCredentials: SealedRows = sealedColumn({
  name: 'gateway credentials',
  table: 'gateway_account',
  column: 'credentials',
  bindingOf: credentialBinding,
});
