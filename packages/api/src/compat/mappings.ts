/** Calls and fields of each dialect that are answered, refused or different: plain data, for documentation. */
export { MAPPINGS, type Mappings } from '@switchyard/compat/mappings';
