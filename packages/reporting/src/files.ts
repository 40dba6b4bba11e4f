export type { FileColumn } from './file-columns.ts';
export {
  DELIVERY_FILE,
  DISCREPANCY_FILE,
  DISPUTE_FILE,
  DUPLICATE_CHARGE_FILE,
  FEE_FILE,
  PAYMENT_FILE,
  REFUND_FILE,
  SETTLED_PAYMENT_FILE,
  SETTLEMENT_DISCREPANCY_FILE,
  SETTLEMENT_FILE,
  SETTLEMENT_LINE_FILE,
} from './file-lists.ts';
export {
  countFileRows,
  FILE_FORMATS,
  type FileCursor,
  type FileFormat,
  type FileList,
  type FilePiece,
  type FileQuery,
  readFile,
} from './list-file.ts';
export { isWithinDays } from './payment-dates.ts';
export { recordExport } from './record-export.ts';
export { WORKBOOK_ROWS_MAX, WorkbookLimitError, workbookProblem } from './workbook.ts';
export { csvLines, csvTitles, FILE_TYPES, type WrittenFile, writeFile } from './write-file.ts';
