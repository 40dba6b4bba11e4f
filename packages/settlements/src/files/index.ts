export { inspectSettlementFile, type SettlementFileInspection } from './inspect-file.ts';
export { listSettlementFiles, type SettlementFileItem } from './list-files.ts';
export { FILE_FIELDS, type FileField, type SettlementMapping, settlementMappingSchema } from './mapping.ts';
export { SETTLEMENT_FILE_LIMITS, type UnreadableCell } from './read-settlement-file.ts';
export {
  type FileRefusal,
  type PreviewedSettlement,
  previewSettlementFile,
  type SettlementFileOf,
  type SettlementFilePreview,
  type TakeFileOutcome,
  type TakeProgress,
  takeSettlementFile,
} from './take-file.ts';
