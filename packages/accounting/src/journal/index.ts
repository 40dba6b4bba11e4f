export { type JournalFile, type JournalFilesOutcome, makeJournalFiles } from './make-journal-files.ts';
export { type AccountMapping, accountMappingSchema, type BookAccount, NO_MAPPING } from './mapping.ts';
export { type JournalPeriod, type JournalSummary, summariseJournal } from './read-journal.ts';
export {
  type AccountingSetting,
  type AccountingSettingOutcome,
  changeAccountingSetting,
  readAccountingSetting,
} from './settings.ts';
