export { runCustomerCommand } from './customers/customer-command.ts';
export { ALL_SEALED_ROWS, rotateKeys } from './encryption-keys/rotate-keys.ts';
