export { type LinkedFile, openReportFile } from './open-file.ts';
