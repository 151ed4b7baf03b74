/** The advisory lock of those who change the schema: an arbitrary key that no other in this database uses. */
export const migrationLock = 7_310_915
