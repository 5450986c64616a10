"""Answers that look at the references: how good could an answer be?"""
