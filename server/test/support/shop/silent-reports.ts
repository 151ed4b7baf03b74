import { type Reports, reportsTo } from '../../../src/app/reports.ts'

const ignore = () => {}

/** Reports that are discarded. */
export const silentReports: Reports = reportsTo({ info: ignore, warn: ignore, error: ignore, fatal: ignore })
