// The position cursor: a native slider that lies under the seats, and its number.
import { numberControl } from '../ui/controls.js'
