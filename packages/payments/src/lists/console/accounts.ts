export { describeAccountUse, describeGatewayUse, listAccountUse } from './describe-account-use.ts';
export { testConnection } from './test-connection.ts';
