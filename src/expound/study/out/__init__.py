"""What leaves a study: judgments, exports, figures; and the way back for answers that other tools collected."""
