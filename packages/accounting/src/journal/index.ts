export {
  type AccountingSetting,
  type AccountingSettingOutcome,
  changeAccountingSetting,
  readAccountingSetting,
} from '../settings.ts';
export type { JournalFile } from './files.ts';
export { type AccountMapping, accountMappingSchema, type BookAccount, NO_MAPPING } from './mapping.ts';
export {
  type JournalFilesOutcome,
  type JournalPeriod,
  type JournalSummary,
  makeJournalFiles,
  summariseJournal,
} from './read-journal.ts';
