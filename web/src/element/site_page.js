// The page of the site: the stage of page.js, and the program beside each figure of the lesson.
import { attachCode } from '../lesson/code_panel.js'
import { startPage } from './page.js'

startPage()
for (const panel of document.querySelectorAll('.plate > .code')) attachCode(panel)
