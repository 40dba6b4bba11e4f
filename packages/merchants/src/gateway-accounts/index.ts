export { type ReachableAccount, reachAccount } from './account-access.ts';
export { type StoredConfigurationFault, clearConfigurationFault, configurationFaultOf, setConfigurationFault } from './configuration-fault-queries.ts';
export { type ListedGatewayAccount, findGatewayAccount, listGatewayAccountRows } from './queries.ts';
