/** The two environments. They are separate: nothing in one is ever visible in the other. */
export const environments = ['live', 'test'] as const
export type Environment = (typeof environments)[number]
