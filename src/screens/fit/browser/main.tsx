import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './fit.css';

mountScreen('fit', App);
