export { readContracts } from '../fee-contracts/queries.ts';
export { clearConfigurationFault, recordConnectionTest, setConfigurationFault } from './configuration-fault-queries.ts';
export { findGatewayAccount, type ListedGatewayAccount, listGatewayAccountRows } from './queries.ts';
export { sealedCredentials } from './sealed-credentials.ts';
