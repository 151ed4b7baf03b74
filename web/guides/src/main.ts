import { addCopyButtons } from './copy-buttons.ts'
import { attachSearch } from './search-field.ts'

addCopyButtons(document)
attachSearch(document)
