export { type ReachableAccount, reachAccount } from './account-access.ts';
export {
  clearConfigurationFault,
  configurationFaultOf,
  type StoredConfigurationFault,
  setConfigurationFault,
} from './configuration-fault-queries.ts';
export { findGatewayAccount, type ListedGatewayAccount, listGatewayAccountRows } from './queries.ts';
