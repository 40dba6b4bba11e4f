export {
  columnsWith,
  type FixturePerson,
  type FixtureRows,
  fillCustomer,
  insertRow,
  readAllRows,
  type StoredRow,
  textOf,
  UNPACKED_COLUMNS,
} from './customer-fixture.ts';
export { CUSTOMER_COLUMNS, STORED_TEXTS } from './stored-texts.ts';
