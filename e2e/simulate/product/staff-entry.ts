/* Work of staff and their programs at the end of some worlds. */

export { eraseOne, exportLists } from './staff-work.ts';
export { tryAsStaff } from './try-as-staff.ts';
